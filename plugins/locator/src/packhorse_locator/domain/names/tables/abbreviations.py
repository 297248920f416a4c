"""Written abbreviations of Spanish, Portuguese and English names."""

ABBREVIATIONS = """
maria:ma m mra|francisco:fco fco franco fsco|francisca:fca|guadalupe:gpe gdpe guad|jose:j jse|jesus:j js
antonio:anto ant ato|antonia:anta|fernando:fdo ferndo|fernandez:fdez fernz frnz fndz fdz
hernandez:hdez hdz hndz hernz hrnz hernd|gonzalez:glez gonz gzlez glz gzz|gonzales:glez gonz glz
rodriguez:rdz rdguez rguez rodgz rodz rdguz drguez
martinez:mtz mtnez mrtz martz mtinez|sanchez:sz schz snchz sanz shz|gutierrez:gtz gtrrez gtez gutz gtrz
dominguez:dgz dguez domgz dmgz dmz|lopez:lpz lz|perez:pz prz|ramirez:rmz rmrz ramz|garcia:gcia ga grc|gomez:gmz gz
jimenez:jmz jmnz|vazquez:vzqz vqz vzz vaz|vasquez:vsqz vqz vzz|velazquez:vlzqz vzqz|velasquez:vlsqz
alvarez:alvz avz alv|diaz:dz|ruiz:rz|munoz:mnz|nunez:nnz nz
mendez:mdz mndz|mendoza:mdza mdz|juarez:jrz|suarez:srz|marquez:mqz mrqz|vargas:vgas|torres:trrs|flores:flrs
reyes:rys|morales:mrls|castillo:cstillo|castro:cstro|ortiz:ortz otz|cruz:crz cz|chavez:chvz chz|guzman:gzmn gzm
herrera:hrra|rivera:rvra|medina:mdna|aguilar:agr aglr|ibanez:ibz|valdez:vdz|benitez:btz bntz|estevez:etz
cervantes:cvtes|contreras:cntrs
manuel:ml man mnl|miguel:mgl migl|alejandro:alej aljdro|eduardo:edo eddo|gerardo:gdo|guillermo:gmo guillo
ignacio:igo ign|enrique:enr enrq|alberto:alb albto|roberto:rob robto|humberto:hto|ricardo:rdo rcdo|armando:armdo
rafael:raf rafl|salvador:salv|santiago:stgo sgo|domingo:dgo|concepcion:concep conc|dolores:drs|mercedes:mds
rosario:ros|isabel:isab|margarita:marg mgta|teresa:ter tsa|carmen:carm cmn|asuncion:asun|encarnacion:encar|juan:jn
pedro:po|luis:ls|jorge:jge|carlos:cs|angel:agl|elizabeth:eliz|alfonso:alfso|bernardo:bdo|gregorio:greg
joaquin:joaq|sebastian:seb|victor:vct|vicente:vte|leonardo:ldo
santos:stos sts|silva:slva|oliveira:olv|ferreira:ferr|pereira:per|souza:sza|rodrigues:rods|goncalves:glves gonc
fernandes:fdes|joao:jo|william:wm|robert:robt|charles:chas|james:jas|george:geo|thomas:thos|samuel:saml|joseph:jos
edward:edw|michael:michl|mohammed:mhd md mohd|saint:st|santa:sta|santo:sto|san:sn
"""

"""French and Haitian short names, and Haitian Creole spellings of French ones."""

NICKNAMES = """
alexandre:alex|alphonse:fonfon|andre:dede|antoine:toine tonio|auguste:guguste|bernadette:detta berna
bertrand:bebert|catherine:cathy kathy katou|christiane:cricri|christophe:tophe chris|claude:clo
claudette:clo dette|clement:clem|daniel:dani dany|daphnee:daf|desire:dede|dieudonne:dieudo dodo donne
dominique:domi dom doudou|edmond:mon|edouard:doudou edou|elisabeth:babette lisbeth betty|emmanuel:manu mano manno
ernest:nenes|etienne:tienne|evelyne:eve lyne|fabienne:fabi faby|fernand:nand|francois:fanfan swa franco
frederic:fred fredo|fritz:fito|gabriel:gaby gabi|georges:jojo|gerard:gege|guerline:guegue
guillaume:guy guigui|guy:guito|jacqueline:jackie line|jacques:jacquot jako|jean:jeannot jano jan
jeanne:jeannette jaja|joseph:jojo jo zo sefo|josette:jojo|judith:juju|ketia:keke|laurent:lolo lau
louis:loulou wiwi loulouis|louise:loulou|lucien:lulu|mackenson:mack kenson|madeleine:mado madlen|magalie:maga
marguerite:margot
marie:mimi manmie mari|michel:mich michou|michele:mimi|mirlande:mimi mirla|monique:momo|myriam:mimi|nadege:nana
nathalie:nat nathy|nicolas:nico colas|patrick:pat patou|philippe:phil fifi|pierre:pierrot piero pyewo
raymond:mon ray|reginald:regi|roseline:rose rosie|ronald:ronal roro|rosemene:rose mene|serge:sergo|stanley:stan
stephane:steph|sylvie:vivi|therese:tete|thomas:toma|vincent:vinvin|wesner:wewe|widline:widi|wilfrid:wil frido
wilner:wil ner|yolande:yoyo|yolette:yoyo
"""

# Creole spelling : French spelling, where the sound rules do not already meet.
CREOLE = """
jan:jean|pye:pierre|jozef:joseph|jak:jacques|lwi:louis|chal:charles|franswa:francois|franswa:francois|andre:andre
antwan:antoine|filip:philippe|mari:marie|woz:rose|wozlin:roseline|janin:jeannine|edwij:edwidge|nadej:nadege
myelan:mirlande|katrin:catherine|tousen:toussaint|batis:baptiste|janbatis:jeanbaptiste|ogis:auguste
selesten:celestin|dezi:desire|nwel:noel|gere:guerrier|ipolit:hyppolite|wobe:robert|richa:richard|edwa:edouard
giyom:guillaume
"""

"""Portuguese short names and pet names, as in Brazil."""

NICKNAMES = """
adriana:dri drica|alexandre:xande ale alex xandao|alice:lili|aline:li|ana:aninha nana|anderson:ander dede
andre:dede andrezinho|antonio:toninho tonho tom tonico toni|augusto:guto|beatriz:bia|bernardo:be beca
bruno:bru bruninho|caio:caca|camila:mila cami|carlos:carlinhos cacá caca carlao|carolina:carol cacau
cecilia:ceci cicica
cristiane:cris|cristiano:cris|daniel:dani dandan|daniela:dani|davi:david dadá|diego:dieguinho di
eduardo:dudu du edu|elaine:lane|eliane:li|elisabete:bete beth|fabiana:fabi bia|fabio:binho fabinho
felipe:lipe fe felipinho|fernanda:fe nanda|fernando:nando fe fernandinho|flavia:flavinha
francisca:chica francisquinha|francisco:chico xico chiquinho kiko
gabriel:biel gabi gab|gabriela:gabi bibi|geraldo:gege|gilberto:gil beto giba|guilherme:gui guiga
gustavo:guto gu gugu|helena:lena leninha|henrique:rique henri kike|humberto:beto|igor:igao|isabel:bel isa belinha
isabela:bela isa|jaqueline:jaque|joana:jo joaninha|joao:joca joaozinho jao juca janjao|joaquim:quim quincas juca
jorge:jorginho jojo|jose:ze zezinho zeca juca zezé zeze zequinha
juliana:ju juju|julia:ju|leonardo:leo|leticia:le lele|luana:lu lulu|lucas:luquinhas luca|luciana:lu ciana
luis:lula luisinho|luiz:lula luizinho lulu|manoel:maneco mane manezinho neco|manuel:maneco mane neco
marcelo:celo tchelo marcelinho|marcia:marcinha|marcos:marquinhos marco|maria:mariazinha mari cota bia
mariana:mari nana|mateus:teteu theus|matheus:theus teteu|mauricio:mau
miguel:miguelzinho gue|natalia:nat nati|patricia:pati paty|paula:paulinha|paulo:paulinho paulao
pedro:pedrinho pepe pedrao|priscila:pri|rafael:rafa fael rafinha|rafaela:rafa|raimundo:mundinho mundico dico
regina:re|renata:re rena|renato:rena|ricardo:rica cadu cacado|roberto:beto betinho robertinho
rodrigo:digo rodri drigo|rogerio:roge|ronaldo:naldo ro ronaldinho
rosangela:ro rosa|sandra:sandrinha|sebastiao:tiao bastiao tiaozinho|sergio:serginho|severino:biu|silvia:silvinha
simone:si|sofia:sofi|suzana:su suzi|tatiana:tati|terezinha:tere tetê teca|thiago:thi ti|tiago:ti thi|valdemar:dema
vanessa:van vane|vera:verinha|vinicius:vini|vitor:vi vito vitinho|vitoria:vi vivi|viviane:vivi|wagner:waguinho
washington:woshi|wellington:well leto|wesley:wes
"""

"""English short names, and forms of one name that cross between the languages the registry meets."""

NICKNAMES = """
abigail:abby gail|abraham:abe bram|albert:al bert bertie|alexander:alex al sandy xander lex
alexandra:alex sandra sandy lexi|alfred:al fred alfie|alice:ally|amanda:mandy|andrew:andy drew|angela:angie
anthony:tony ant|arthur:art artie|barbara:barb babs|benjamin:ben benny benji|bernard:bernie
catherine:cathy kate katie cat|charles:charlie chuck chas|christina:chris tina christy
christine:chris tina chrissy|christopher:chris kit topher|clifford:cliff|cynthia:cindy|daniel:dan danny
david:dave davey|deborah:deb debbie|donald:don donny|dorothy:dot dolly|douglas:doug|edward:ed eddie ted ned
eleanor:ellie nell nora
elizabeth:liz beth betty eliza lisa libby lizzie bess|emily:em|emmanuel:manny manu|eugene:gene|florence:flo
frances:fran|francis:frank fran|franklin:frank|frederick:fred freddy rick|gabriel:gabe|geoffrey:geoff jeff
george:georgie|gerald:gerry jerry|gregory:greg|harold:harry hal|helen:nell|henry:hank harry hal
isaac:ike zac|jacob:jake|jacqueline:jackie|james:jim jimmy jamie|janet:jan|jeffrey:jeff|jennifer:jen jenny
jeremiah:jerry|jessica:jess jessie|john:jack johnny jon|jonathan:jon jonny nathan|joseph:joe joey jo|joshua:josh
judith:judy|katherine:kate kathy katie kat kitty|kenneth:ken kenny|kimberly:kim
lawrence:larry|leonard:leo len lenny|lewis:lou|louis:lou louie|lucy:lu|madeline:maddie
margaret:maggie meg peggy marge rita greta|martha:marty|martin:marty|mary:molly polly mae|matthew:matt|maxwell:max
melissa:mel missy|michael:mike mickey mick mikey|michelle:shelly|mitchell:mitch|nancy:nan
nathaniel:nate nat nathan|nicholas:nick nicky
oliver:ollie|pamela:pam|patricia:pat patty trish tricia|patrick:pat paddy rick|peter:pete|philip:phil|rachel:rae
raymond:ray|rebecca:becky becca|richard:rick dick rich ricky richie|robert:bob rob bobby robbie bert|roderick:rod
roger:rodge|ronald:ron ronnie|rosemary:rose rosie|russell:russ|samantha:sam|samuel:sam sammy
sandra:sandy|sarah:sally sadie|sebastian:seb|sharon:shari|stephanie:steph|stephen:steve|steven:steve|stuart:stu
susan:sue susie|teresa:terry tess|theodore:ted theo|theresa:terry tess|thomas:tom tommy|timothy:tim timmy
valerie:val|victor:vic|victoria:vicky tori|vincent:vince vinny|virginia:ginny|walter:walt wally|wesley:wes
william:bill will billy willy liam|zachary:zach
"""

# Forms of one name in several languages: any of a line may stand for any other.
COGNATES = """
john juan jean joao ivan jan johan|joseph jose yusuf giuseppe iosif|james jaime jacques santiago tiago yakov jakob
peter pedro pierre pyotr piotr petr petro|paul pablo paulo pavel pavlo|michael miguel michel mikhail mykhailo
francis francisco francois francesco|stephen steven esteban estevao stefan etienne stepan
charles carlos karl carlo|louis luis luiz ludwig|henry enrique henrique henri genrikh
george jorge georges georgiy yuriy yuri heorhiy|andrew andres andre andrey andrei andriy
anthony antonio antoine anton antonius|nicholas nicolas nikolai nikolay mykola nicolau
matthew mateo matheus mathieu matvey|thomas tomas tome foma|philip felipe philippe filipp
alexander alejandro alexandre aleksandr oleksandr iskander|edward eduardo edouard eduard
william guillermo guilherme guillaume vilhelm|frederick federico frederico frederic
lawrence lorenzo lourenco laurent|raphael rafael|gabriel gavriil jibril|daniel daniil danylo
david davit daud dawood|emmanuel manuel emanuel|vincent vicente vikentiy|victor viktor|sergio serge sergey serhiy
mary maria marie mariya maryam mariam miriam|elizabeth isabel elisabeth yelizaveta elisabete
catherine catalina katherine catarina ekaterina yekaterina kateryna|anne ana anna hanna
helen elena helene olena yelena|teresa theresa therese tereza|margaret margarita marguerite|martha marta marthe
julia julie yuliya yulia|rose rosa|lucy lucia lucie|eve eva|sophia sofia sophie sofiya|joan juana jeanne joana
natalia natalie nataliya nathalie
abraham ibrahim|solomon salomon suleiman|moses moises moise musa|isaac ishaq isak|jacob yaqub jacobo
zechariah zacarias zakaria|elijah elias ilya ilyas|jesus isa issa|noah noe nuh|adam adan|simon simeon semyon
mark marcos marc marcus|luke lucas luc luka|gregory gregorio gregoire grigory hryhoriy|christian cristian
christopher cristobal christophe|theodore teodoro fyodor fedir|eugene eugenio evgeny yevhen
constantine constantino konstantin|maxim maximo maksym|robert roberto|richard ricardo|raymond ramon raimundo
"""

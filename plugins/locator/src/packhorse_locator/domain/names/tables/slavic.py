"""Russian and Ukrainian short names, and the Ukrainian beside the Russian form of one name."""

NICKNAMES = """
aleksandr:sasha shura sanya alex shurik sanek alik|aleksandra:sasha shura asya
aleksey:lyosha alyosha lesha alex lyokha|alexei:lyosha alyosha lesha|anastasiya:nastya asya stasya
anatoliy:tolya tolik|andrey:andryusha dryusha andy|anna:anya nyura anyuta|anton:tosha antosha toha|arkadiy:arkasha
artyom:tyoma artem tema|artem:tema tyoma
boris:borya|bogdan:bodya danya|daniil:danya danila|darya:dasha|denis:deniska den|dmitriy:dima mitya dimitri dimon
dmitri:dima mitya|dmytro:dima dmitro mitya|ekaterina:katya katyusha kate|elena:lena alyona helen|elizaveta:liza
evgeniy:zhenya eugene|evgeniya:zhenya|fyodor:fedya|galina:galya|gennadiy:gena|georgiy:gosha zhora goga
grigoriy:grisha
igor:igoryok gosha|ilya:ilyusha|inna:innochka|irina:ira irishka|ivan:vanya vanyusha john|kirill:kirya kir
konstantin:kostya|kristina:kristi|larisa:lara|leonid:lyonya lenya|lev:lyova leva|lidiya:lida|lyubov:lyuba
lyudmila:lyuda mila lucy|maksim:max maks|margarita:rita|marina:marinka|mariya:masha marusya manya mary
mariia:masha
matvey:motya|mikhail:misha mishka michael mike|nadezhda:nadya|nataliya:natasha nata|nikita:nik
nikolay:kolya nick nikolasha|oksana:ksyusha ksenia|oleg:olezhka|olga:olya olechka|oksana:oksanka
pavel:pasha pavlik paul|polina:polya|pyotr:petya peter|petr:petya|roman:roma|ruslan:rusik|semyon:syoma senya
sergey:seryozha seryoga serge seryi|sergei:seryozha|serhiy:serhiyko seryozha
sofiya:sonya|stanislav:stas slava|stepan:styopa|svetlana:sveta lana|svyatoslav:slava|taras:tarasik|tamara:toma
tatyana:tanya|timofey:tima|vadim:vadik|valentin:valya|valentina:valya|valeriy:valera|vasiliy:vasya|vera:verochka
veronika:nika|viktor:vitya victor vic|viktoriya:vika|vitaliy:vitalik|vladimir:vova volodya vovan vladik vlad
vladislav:vlad vladik slava
volodymyr:vova volodya vlad|vsevolod:seva|vyacheslav:slava|yaroslav:yarik slava|yelena:lena|yevgeniy:zhenya
yegor:gosha yegorka|yuliya:yulya julia|yuriy:yura yuri|zinaida:zina|zoya:zoyka
"""

# Russian and Ukrainian forms of one name.
COGNATES = """
aleksandr oleksandr alexander|aleksey oleksiy alexei|andrey andriy|dmitriy dmytro|elena olena
evgeniy yevhen yevgeniy evhen|ekaterina kateryna yekaterina|grigoriy hryhoriy|igor ihor|irina iryna|kirill kyrylo
konstantin kostyantyn|lyudmila lyudmyla|maksim maksym|marina maryna|matvey matviy|mikhail mykhailo mykhaylo
nadezhda nadiya|nikita mykyta|nikolay mykola nikolai
oleg oleh|pavel pavlo|pyotr petro petr|sergey serhiy serhii|stepan stefan|svetlana svitlana
tatyana tetyana tetiana|vasiliy vasyl|vladimir volodymyr|vladislav vladyslav|vyacheslav vyacheslav viacheslav
yuliya yuliia yulia|yuriy yurii iurii|anastasiya anastasia|anna hanna|filipp pylyp|osip yosyp iosif|semyon semen
timofey tymofiy|fyodor fedir|yegor yehor egor
"""

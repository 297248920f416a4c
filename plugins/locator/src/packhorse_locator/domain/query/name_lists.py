"""Given names and surnames of many countries, folded, beside those of `lexicon`. Own lists, from general knowledge."""

GIVEN = """
rodrigue fritzgerald guypson wilguens jeanty-fils marckenson roodly wildine mackenson
abdirahman abdoulaye abdullah abdullahi abeba abebech abiodun adaeze adalid adama adaobi adebayo adel adem adisa adnan
afolabi afsaneh agnieszka ahlam aigerim aissatou akash akintunde akosua aldair aleksandr aleksandra aleksei alemitu
aleyda alhassan aliou alioune aliya almaz alpha amadou amanuel amar amara amare amarjit ameena aminata amir amit anand
anatoly andreea andrei andrii anh aniket anil anita anjali ankit annika anthonia anton anwar anyelo arash arben ardit
arelis arif arjun arleny arman armen arslan artem artyom arun asad asel asha ashok ashraf asif aslan asma aster atefeh
ayana ayesha ayodele ayse ayub azadeh aziz babacar bahar bahram baljinder baljit balwinder bao bayardo bayron behnam
behrouz belkis berhane berline besim bessy bharat bikash bikram binod birhanu blessing bogdan bolaji boris boubacar
bounmy brahim brenner breydi brisa burak carlo cheikh chhay chidi chidinma chijioke chinedu chinonso chinwe chioma
chukwudi chukwuemeka cissy claudel clermont dagmar damilola danil danylo daouda dariel darius darline darwing dawit
dayron deepak deivi deivis denilson denys desta destiny dhruv dieu dieuseul dilcia dilip dilsia dinesh dipak djibril
dong dorian dragan duvan ebenezer ebony ebrima edner edson efosa ehsan eidy ekaterina elham elif elmin elnur elourde
elsy emeka emely emilce emin emine emmanuela emre enoch ephrem erdem eriberto erlande ermias esdras esi esra eudis
evenson ezekiel fadi fadumo faisal faiza fanor farhad fariba farid fatemeh fatmata fatou fatoumata fednel fedor femi
feng ferdinand fereshteh fernand festus fikret filmon firas fode folasade frantzy franyer fritznel funmilayo gaelle
gagandeep ganesh garfield geisel gelmer genet genevieve georgina geovanni gerber getachew gethro gheorghe ghulam
giorgi girma givi godfrey godwin greysi gulnara gulsen guoliang gurdeep gurmeet gurpreet gurvinder habib habiba hadi
haitham hakan hakeem hakim halima hameed hamid hamidou hanna hao hardeep harini harish harjinder harjit harmanpreet
harpreet haruna hasan hawa hayat heidy hemant henri hernaldo hieu hoa hong hossein hua huda hyacinthe ibrahima idris
idrissa ifeanyi ifeoma igor ihor ikechukwu ikram ilcia ilfrid ilham ilya imad imran inderjit innocent ioan iryna
isamar isatou ishaan ishmael iskander islande ismail issa issouf istvan ivica jabari jabbar jacquelin jadira jae
jagdeep jagdish jahangir jaider jair jakub jalal jamila jamshid jan jander jareth jaspreet jaswinder javad jawad
jaziel jeancarlos jeanne jeanty jelani jerzy jeyson jhoan jhonathan jian jianguo jianhua jiayi jiho jin jing joachim
jomo jonny joon jorbi jordi josthin jovan jozef juanjose jules jun junaid junie kabir kadiatou kamal kamala kamran
karamjit karan karim karthik kasim katarzyna kateryna katherin kaveh kayode kebede keidy kelechi kelin kemal kenji
kerline kervin khadim khaled khalil khurram kidane kimberli kiran kiril kobe koffi kofi komi konstantin krishna
kristina krzysztof kseniia kuldeep kulwinder kumari kun kwabena kwadwo kwaku kwame kwasi laith lakshmi lalita lamin
lamine laszlo latifa lei lekan leszek leyner lian lihua lijun liliya ling lisbet litzy liza ljubomir loc louinel
lovepreet luba luckson ludmila lusvin lyudmila madelyn madhu madina magdala mahamadou mahdi mahesh mahmoud mahmud mai
maicon mailyn maksim maksym mamadou mamta mandeep mandla mani maninder manish manjit manoj manouchka manpreet mansour
mansur mariam mariama marie-ange mariia marko marwan maryna maryuri masood massoud matteo maverick maxim maydelin
mayerlin mehdi mehmet mehran mei melaku merari merhawi meseret mesfin michal migdalia mihai mikael mikhailo milagro
milan mimose ming minh mirlene miroslav mirza mitra modou mohamad mohamadou mohammad mohan mohsen moise mojtaba moktar
monir mouhamadou moussa muhammadu mukesh murad murat mustapha muzammil mykhailo mykola nabil nadeem nadir nahun najib
nam nana nandini narinder naser nasir nasrin natalya natasha navdeep naveed navid nazanin neeraj neha nehemias neidy
nelsy nelya neymar ngan ngoc ngozi nguyet nhan nia nicolae niloufar nima nisha nitin niurka njoki nkechi noelvis noor
norlan norvin nour obinna ogechi ojo olamide olanrewaju oleg oleh oleksandr oleksandra oleksii olha oliwia oluwaseun
oluwatobi omid ondrej oneyda onyeka orbelin orhan osama osbaldo oumar oumou ousmane palwinder pankaj paramjit parisa
parminder parveen pavel pavlo pawel payam pedrito pema peng petr petro phong phuc phung pierre-louis ping piotr pooja
poonam prabhjot pradeep prakash pranav prasad praveen preeti prem priya qasim qiang qing quoc quyen raed rafiq rahim
rahul rajan rajesh rajinder rajiv raju rakesh ram ramandeep ramesh ramin ramzi rana randeep ranjit rasheed rashid ravi
ravinder razia reda reem rekha renel richelle roberth rodeline rohan rohit roksana roland ronel rong ronny roodley
roohollah rosalie rosemene rosmely roza rui rukhsana rupinder ruslan rustam ryszard saad sabah sabir sachin sadia
sadio saeed safiya sahar saida saim sajid sakina salah saleh salif salim salima salma salman samba samer sami samir
samuil sandeep sandip sangeeta sanjay sanjeev santosh sarbjit sardar sarita sasha satish satnam saurabh seble segun
sekou selam selim semyon seo serge serhii serhiy seydou shabnam shahid shahzad shaima shan shankar sharif sharmila
shaun sheikh shiva shohreh shreya shu shuai shyam siddharth sidi siham simran sina sita slavko sobeyda sohail solomon
somchai sonam souleymane stanislav stefan stepan suany suk sukhdeep sukhjinder sukhwinder sulaiman suleiman suli sumit
sunil sunita suraj suresh surinder suzanne svetlana svitlana tadeusz taha tahir tam tamar tanvir taras tarek tarik
tariq tenzin tereza tewodros thao tharindu thelma theophile thierno thuan tiemoko tigist tijan timur tirso toan toyin
trung tshering tunde tuyen tymofiy uchenna uday ulices umar umaru umesh urszula usha usman uzair vadim vadym vahid
valentyn valeriy vandana vasile vasyl venkat victoire vijay vikas vikram viktor viktoriia vilmer vimal vinod vitalii
vitaliy vivek vlad volodymyr vusi vyacheslav wafa wahid walid wanjiku waqas wasim wei wellington wen wenjie widler
widlyne wilberto wilfer wilguens wisly wisner wojciech workneh wuilmer xian xiang xiaohong xiaoling xiaoming xin xing
xiu xuan xue yacine yacouba yader yadiel yahaira yahya yaima yakov yan yana yandel yander yanely yao yaretzi yarisa
yaroslav yasin yasmani yaw yefry yegor yelena yemi yeraldin yerling yesika yevgeny yevhen yilber ying yixin yohannes
yolibeth yonas yosef yoselyn yoshi yosmar younes yousef youssef youssouf yovany yu yuan yudelkis yue yuleisy yulexi
yun yunier yunus yuriy yusra yusup zafar zahid zahir zainab zakaria zaki zara zehra zeidy zeinab zekarias zeynep zhen
zhi zhiwei zhong zia ziad zineb zoya zubair zulfiqar
"""

SURNAMES = """
aju mis mota xitumul abdallah abdelrahman abdirahman abdul-aziz abdullahi abdulrahman abera abiola abrego adamu
addai adeleke ademola aden adeniyi adepoju adhikari adjanohoun adjei adomako afolabi afzal agarwal agbaje
agudelo aguiar aguinaga ahmadzai ahn ajanel ajayi ajcot ajiatas ajin ajpacaja ajquejay ajtun akbar akhtar
akinola akpan al-ali al-amin al-hassan al-masri al-rashid alaoui alcivar aleman alemu alhassan alibekov alizadeh
almasri alzate amani amankwah ambrocio amin amini amoah ampofo anand andersson ankrah ansah anyanwu arboleda
arcila ardila ardon argumedo arifi arita arrieche arroyave arslan artemenko asanza asfaw ashraf asif aslam
assefa atehortua augustin avetisyan awad awal ayele ayora ayoub azizi azuaje bailly bajwa bakare bamaca bamba
banerjee bao baran bardales barman barralaga barua barzallo basnet batun baye bayram beauvais bedi bejo belaid
belay belizaire bellamy ben-ali berhe beridze berisha bermeo betancur bhandari bhatt bhattarai bhatti bien-aime
birhanu biswas blaise bocel bogdan boguslavsky bojko bolom bondarenko bonhomme borisov bose bouzid boyd bracho
briceno brutus bu budhathoki bukasa byun cadavid cadet cajamarca caldera canaca canche caniz carcamo carchi
carrero cartuche casimir castejon castrillon catalano cauich cenat cha chaj chalan chand chandra chango charlot
charpentier chaudhary chauhan chavajay cheema cheikh chernenko cherubin cheung chi chiguil chilisna chimbo chin
chinchilla chirinos cho chocooj choi chopen choudhury chourio chowdhury chukwu chumil churunel cienfuegos
clerveaux climaco cobena cocom coffi cohuo coj cojti colina comayagua compaore corobo cos coulanges criollo
cuartas cubias cuji cumes curay cuxum cuyuch cyriaque daou darboe darwish dawood debnath deng desai desir
desrosiers desta dey dhakal dhaliwal diabate diaby diakite diarra dimitrov dinh djalo doan dolma dong dorcely
dorvil doumbia drame dubey dumas dumitrescu dumitru dutta dzib dzul echeverri echeverry eid ejike ek ekwueme
elhaj elmi elvir emeka erazo erdogan ermakov escalon estime etienne euan eugene fadil faizi fall farhadi farooq
fashola fatih fereira fiallos finol flamenco fofana fung gadiaga gaikwad gamal ganiyu garang gashi gautam
gebremariam gebremedhin georges georgescu georgiev gerard germain getachew ghale gharib ghimire ghosh gnassingbe
gogoi goldenberg gorban gosaye gough goyal graterol grisales guachichulca gualan guamani guanipa guanoluisa
guirguis gulzar gupta gyamfi gyasi habib habimana habtemariam haddad hadi haidari haider hakimi halimi hamdan
hamid hamidi han hanna haque harun hasan hasanov hashemi hashi hashimi hau hincapie hirsi holguin hong horvat
hossain hyppolite ibe ibekwe ibrahimi icu idris igwe ilic illescas ilunga ilyas imam inoue interiano ionescu
iroko isaev isaza islam ismail ixim ixmay ixtabal ixtuc iyer jabbar jadan jafari jafarov jahan jain jaiswal jama
jang janvier javed jaya jean-baptiste jean-charles jean-francois jean-louis jean-pierre jena jeong jeudy jha
jiang jin jobe johal jom jor jovanovic jovel juc jules kaba kabir kabongo kabore kaddour kadyrov kahlon kahn
kalala kamal kamara kamaraj kaminski kamran kanneh kantun kapoor karim karimov karki kasongo kassa kassim katz
keb kebede keo kesavan khadka khalil khatri khatun khim khin khoury khumalo kibet kidane kimani kiplagat
kirilenko kiros klimenko koh kolesnik komarov konadu konan koroma kostenko kovacs koval kowalski kpodo krasniqi
krishnan ku kuang kuchma kumul kunwar kurbanov kurt kyei lacan laguerre lagunas lajpop lalangui lama lamsal
lapointe lares laurent lavrov lebrun lemma leung levchenko leveille lewandowski ligorria lim limbu linarez
lindor lizardo llivisaca lobos loh loja lor louissaint lu lubin lucien lukashenko luo lux lysenko ma macas
macharia magar mahabir mahmood mahmoud mahmud maiga maina majano majumder makarov makonnen malla mam mandal mane
mansaray mansour mansouri maradiaga marcelin marchenko marinero markov markovic marulanda marval masache masood
massoud matamoros mathew mathieu matsumoto maung maurice mavarez mavo mazur mbeki mejri mekonnen melaku melnik
mena mencia menjibar menon mentor meraz meron metellus michel midence mihailov mikhailov min minga mirza mitra
mo mohamadi mohammadi mohan mohsin moise molinero mondal monsalve moo moradi moreau morente morocho moroz
mostafa moua mousa moussa mukendi mukherjee mukhtar mulugeta munir munteanu murad mutombo mutua muzaffar mwamba
mwila nadeem nagy nair najafi najib nam nasr nasser naula navas nazari ndi ndlovu negash nepal ng ngo ngoma ngoy
niang nikolic niyonzima njoku nkemelu noel noh noor noori noorzai nouri novikov novotny nowak ntim nurmatov
nwachukwu nwankwo nweke nyambura obeng obi obiora odhiambo oduya ofori ogbonna ogunleye ojo okeke okello okojie
okolo okoth okoye okpara olatunji oliynyk omari omarov omondi onu onuoha onyango opoku orantes orlov oropeza
osegueda oseguera osmani ospina ostrovsky otalvaro otchere othman otzoy ouattara ouedraogo oyuela ozdemir ozturk
pacajoj padilha pagoada paguay pak palada palaguachi panchame panday pandey pandit pant parvez patarroyo patil
paucar paudel pavlenko pavlov pawar pech perechu perozo petit petit-frere petrenko petrosyan petrovic phiri
phommachanh pierre-louis pillajo pintado pirela pirir pokharel poladian polat pomaquiza ponomarenko poot popa
popescu popovych posas poudel prakash prasad prasai prophete prudhomme przybylski pulgarin qasimi qin qiu
querales quezalteco quib quiceno quijada quinac quino quisque quizhpe qureshi rabbani radu raheem rahimi rajabi
rajan rama ramanathan ramezani rana randhawa rao rapalo rashid rasul rauda rauf ravi rawal rayes raymond razavi
reconco regmi remache ren rezaei rezai robin rondon rosen roy rusu saad sabbagh sabio sac sadat sadek sadiq
saeed safari safi sahota saidi saidov saint-fleur saint-louis sajche saldarriaga saleem saleh salehi salih salim
samadi samba sangare sankoh santamaria santhosh saqib sarango sarkar sauceda sawadogo sayed schwartz sek sekou
selassie semenov semprun senghor seo sesay shafiq shah shahi shaikh shakya shams shapiro sharif sheikh shen
sherpa sherzai shetty shi shin shinwari shirazi shukla sibrian siddique siddiqui siguencia simaj sinchi sinha
sis sokolova soltani somda song stan stanislas stepanov subedi suh sui sultan sundaram sunuwar surin suzuki
svoboda swaray sy szabo tabares tacuri tahay tahir takele takhar talukdar tambito tanaka tandia tang tekle
telfort tenelema tenesaca tenezaca tesfay thach thao theodore thevenin thorne timsina tinoco tiquiram tiwari
tobon tsang tsegaye tsering tshibangu tun turan turay turcio tutila tuyuc tuz tzaj tzep tzunux udo ugwu uicab
umar umarov ung urdaneta urrego usman usmani usuga uzcategui valbuena valcin valera vanegas vang varghese
velandia verma vielma villasmil vinueza vital vixama vong wahab wan wanjiku wardak weng wisniewski wojcik wolde
woldemariam wondimu xicay xiong xitumul xiu yac yadav yakubu yalcin yamamoto yan yanza yao yared yaxon yazdani
ye yeboah yee yefimov yeo yepes yepez yildirim yildiz yin yohannes yojcom yoon youssef yu yuan yun yunga yunus
zadran zaidi zakharov zaman zaytsev zelenko zerpa zewdie zhagui zhinin zhukov zia zidane zielinski zou zuluaga
"""

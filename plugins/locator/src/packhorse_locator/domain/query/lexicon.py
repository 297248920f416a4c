"""The words of the grammar, folded (lower case, no accents). Own lists, from general knowledge of both languages."""

from packhorse_locator.domain.query import name_lists

LANGUAGES = ("en", "es")


def words(text: str) -> frozenset[str]:
    """A set of folded words written in one string."""
    return frozenset(text.split())


SEEK = words(
    """find locate search lookup look looking searching trying seek seeking seeks where wheres check track named called
    busco buscar buscando busca busque buscamos encuentra encontrar encuentre encuentro localizar localiza
    localice donde ubicar ubica hallar hallo llamado llamada llaman encuentreme encuentrame encuentrenme busqueme
    buscame busquen busquenme localiceme localizame ubiqueme"""
)
"""Somebody is being looked for."""

LISTS = words(
    """detainees inmates people persons everyone everybody list show who whos facilities centers names many which anyone
    anybody roster rosters locked prisoners detenidos detenidas personas gente lista listado alguien quien quienes
    muestrame mostrar muestra muestre centros cuantos cuantas todos todas presos places lugares"""
)
"""Who, or what, is at a place."""

TELLS = words(
    """phone tel tlf telf ph telephone number address contact email mail capacity visiting visitation visit visits
    hours call tell about information info fax website beds telefono numero direccion contacto correo
    electronico capacidad visitas visita horario horarios llamar llamo informacion informes camas caben cabe
    sobre queda operator operador operated located location ubicado ubicada situado speak talk hablar
    comunicarme comunico comunicar comunicarnos full llena lleno touch runs run big size large directions
    direccional mailing schedule schedules services service offered details detail datos administra dirige
    maneja opera llego llegar llegan ubicacion reach owner owns manages operates cupo telephones phones
    addresses calle street adress emails telefonos direcciones servicios visitar contactar contactarme
    contactarlos visitation visiting population occupancy charge warden director encargado poblacion ocupacion
    zipcode open opens tamano grande postal website pagina"""
)
"""What is known of a facility."""

SOFT = words(
    """about information info informacion informes sobre tell number numero call hours horarios location located details
    street calle detail datos reach touch speak talk hablar visit visitar ubicacion run big contact contactar open
    contacto grande comunicarme comunico comunicar comunicarnos llego llegar llegan"""
)
"""Of these, the words that are said of people, too."""

FACTS = words(
    """money deposit deposits account accounts commissary funds fund send sending mail mailing letter letters package
    packages book books clothes clothing rule rules policy policies allow allows allowed accept accepts bring
    wear dress code drop visit visits visiting visitation visitor visitors appointment video rate rates cost
    costs calling calls map drive driving bus parking route far distance airport hospital medical medication
    dinero depositar deposito deposita cuenta mandar mando mandarle mandarles enviar envio enviarle carta cartas
    paquete paquetes libro libros ropa regla reglas permiten aceptan dejan dejar entrar traer llevar llevarle
    visita visitas visitar visitarlo visitarla visito cita citas videollamada tarifa tarifas cuesta llamadas
    mapa manejar manejando lejos ruta autobus comida medicina maleta requisitos vestimenta kilometros millas
    miles owner warden director manager company geo corecivic private attend line lines extension hotline chapel
    come abren cierran abierto cierra abre comunico exactly recibe reciben"""
)
"""What people want to know of a facility, beyond the words of `TELLS`."""

HELD = words(
    """recluido recluidos recluida recluidas encerrado encerrados encerrada encerradas internos interno interna internas
    reclusos recluso presos detainees inmates prisoners residents detenidos detenidas incarcerated jailed locked"""
)
"""People in custody, or that they are."""

PLACES = words(
    """facility facilities center centre centers jail jails prison prisons carceles prisiones zip zipcode postal code
    centro centros carcel prision codigo"""
)

RELATIVES = words(
    """son daughter brother sister mother mom mum father dad husband wife spouse partner uncle aunt cousin nephew niece
    grandmother grandma grandfather grandpa stepson stepdaughter stepfather stepmother boyfriend girlfriend bf gf
    fiance fiancee friend friends neighbor neighbour client clients relative family parent child kid godfather
    godmother ex hijo hija hermano hermana hermanos hermanas madre mama padre papa esposo esposa marido mujer tio
    tia primo prima sobrino sobrina abuelo abuela cunado cunada suegro suegra yerno nuera novio novia amigo amiga
    vecino vecina cliente clienta familiar pariente padrino madrina compadre comadre companero companera ahijado
    ahijada abuelito abuelita hermanito hermanita hijito hijita primito mami papi mommy daddy auntie hubby wifey
    roommate coworker colleague boss employee student teacher nephews sons daughters brothers sisters cousins
    uncles inlaw stepbrother stepsister grandson granddaughter godson goddaughter sibling fiancee empleado
    empleada patron jefe maestro conocido paisano paisana concuno concuna consuegro trabajador trabajadora parents
    representado defendido muchacho muchacha senor senora joven hijastro hijastra padrastro madrastra nieto nieta"""
)

OWNERS = words("my our his her their the mi mis su sus nuestro nuestra un una")

TITLES = words("mr mrs ms miss mister dr dra sr sra srta don dona")

ROLES = words(
    """pastor pastora reverend reverendo rev father fr padre deacon bishop imam rabbi elder apostol obispo sor fray
    sister brother hermano hermana lic licenciado licenciada ing ingeniero ingeniera prof professor profesor profesora
    profe maestro maestra coach captain attorney detainee inmate client cliente detenido detenida senor senora doctor
    doctora mister"""
)
"""What somebody is, said before the name; a few are surnames as well, and stand second then."""

STOPS = words(
    """llama a an the is was are were be been being has have had do does did of for to by with and or please pls plz can
    could would you your i im i'm me he she they him them his her it its in on at from that this there here any
    record records case status history transfer transfers transferred detained detention detainee inmate held
    holding custody currently arrested arrest picked up took taken take person someone somebody name names full
    first last surname given middle born year birth dob date country hello hi hey help need want know how what
    when will get getting give go went gone cant cannot can't not no yes yesterday today week last ago now ice
    immigration attorney lawyer am us about if registration alien a-number anumber number numbers numbr nr num
    whats what's who's where's theyre they're whether gets thank thanks city state all ignore previous
    instructions everyone everybody jail 4 looking under still was also el la los las lo le les un una unos unas
    es esta estan este esto estaba fue fueron ser estar ha han he hay haya tiene tienen tenia tener de del al a y
    o u e con por para que se me mi mis te tu su sus nos en como cuando cual cuales favor ayuda ayudeme ayudame
    ayudar necesito necesita quiero quisiera quieren puedo puede pueden podria saber sabe sabes decir dice dijeron
    dijo digame detuvieron detuvo arresto arrestaron arrestado arrestada agarraron agarro llevaron llevo
    trasladaron trasladado trasladada traslado traslados detenido detenida detenidos detencion deteniendo preso
    presa persona alguien nombre nombres apellido apellidos completo completa segundo primer primero nacio nacido
    nacida nacimiento ano anos fecha pais hola buenas buenos dias tardes gracias no si ayer hoy semana pasada
    ahora migra inmigracion abogado abogada soy somos estoy estamos registro busqueda extranjero algun alguna algo
    noticias historial estatus estado ciudad dame dar ignore instrucciones muestre todos hora desaparecio
    desaparecida fueran donde adonde ella ellos el numero nro mandaron metieron tengo tenemos otra otro tambien
    todavia aun law news worried reach moved tell chance anything question questions rights bond deported bring
    visit visiting won game very much good morning afternoon evening night pregunta preguntas derechos fianza
    abogados deportaron deportado llevar ropa traer visitar consigo consigue mucho mucha muchas muy sobre son
    noche tarde buen contactar comunicarme preocupado preocupada nada anybody anyone nobody seen heard visto
    vieron oido somewhere found out nadie sabemos conocen cerca lejos got rn right asap man men woman women guy
    hombre podrian pudieran usted ustedes united states usa estados unidos eeuu monday tuesday wednesday thursday
    friday saturday sunday lunes martes miercoles jueves viernes sabado since until days weeks month months hours
    minutes mes meses semanas horas hace desde hasta anoche urgent urgently urgente urge porfa porfavor disculpe
    disculpa oiga oye gustaria agents agentes officers raid redada undocumented immigrant work trabajo court corte
    wanna gonna u ur r lookin gotta"""
)
"""Words that are no part of a name, wherever they stand outside one."""

OF_PLACES = words("jail city state detention custody ice immigration detencion inmigracion carcel")
"""Words that may belong to the name of a place, and never to a person's."""

AT = words("at in en inside near within cerca")
"""What stands before a place."""

FROM = words("from of de del")
"""What stands before a country or a place that a person comes from."""

HOLDING = words("hold holds caben cabe")
"""At the end of a question, what asks how many people a facility can take."""

SPEAKING = r"\b(?:my name is|me llamo|mi nombre es)\b[^.,;!?]{1,40}[.,;!?](?=.*\w)"
"""Who speaks, said before what is asked."""

MOVING = words("llevaron llevo trasladaron traslado mandaron mando enviaron movieron")
"""What stands before "a" and the place that somebody was taken to."""

CUSTODY = words("detained held custody detainee inmate detenido detenida detenidos detenidas preso presa presos")

BIRTH = words("born dob birth birthday birthdate birthplace bday nacio nacido nacida nacimiento fdn cumple")

FIRST_LABELS = words("first given forename firstname nombre nombres")
LAST_LABELS = words("last surname surnames lastname family apellido apellidos apellida apellidan")

PARTICLES = words(
    """de del la las los da das do dos di du des le van von der den ter ben bin ibn bint abu abd al el ul st santa san
    vda viuda mac mc"""
)
"""Parts of a surname that belong to the word after them."""

JOINING = words("de del la las los da das do dos di du des van von der den ter ben bin ibn bint abu al el")

DEVOTIONS = (
    ("de", "dios"),
    ("de", "jesus"),
    ("de", "los", "angeles"),
    ("de", "la", "luz"),
    ("de", "guadalupe"),
    ("del", "carmen"),
    ("del", "pilar"),
    ("del", "rosario"),
    ("del", "socorro"),
    ("del", "mar"),
    ("de", "lourdes"),
)
"""Second halves of given names such as Juan de Dios and Maria del Carmen."""

GIVEN = words(
    """adrian alberto alejandra alejandro alexander alexis alfonso alfredo alicia altagracia ana andrea andres angel
    angela angelica antonia antonio armando arturo baptiste beatriz benjamin bernardo brayan bryan camila carlos
    carmen carmel carolina catalina cecilia cesar christian claudia concepcion consuelo cristian cristina
    cristobal daniel daniela david denis diana diego dolores domingo eduardo edgar edwin elena elias elizabeth
    elmer emilio enrique ernesto esperanza esteban esther eugenia eugenio eva evelyn fabian fabiola felipe felix
    fernanda fernando francisca francisco gabriel gabriela gerardo german gilberto gloria gonzalo graciela
    gregorio guadalupe guillermo gustavo hector henry hernan hugo humberto ignacio ines ingrid irene iris isabel
    isaac isaias ismael ivan ivonne jaime javier jean jennifer jeremias jesus joaquin joel johanna john jonathan
    jorge jose joseph josue juan juana julia julian juliana julio karen karina kevin laura leonardo leonel leticia
    lidia liliana lorena lourdes lucia luis luisa luz magdalena manuel marco marcos margarita maria mariana
    maribel marie mario marisol marta martha mateo mauricio maximo mercedes michael miguel milagros miriam moises
    monica nancy natalia nelson nicolas noe norma octavio olga omar oscar pablo paola patricia patrick paul paula
    pedro pierre pilar rafael ramon raul rebeca reina rene ricardo roberto rocio rodrigo rogelio rolando rosa
    rosario ruben ruth salvador samuel sandra santiago sara saul sebastian sergio silvia sofia sonia stephanie
    steven susana teresa thi tomas valentina vanessa veronica vicente victor victoria vilma virginia walter wendy
    william wilmer wilson xavier yadira yesenia yolanda zoila abdul abdel abd rahman mohammed muhammad mohamed
    ahmed ahmad ali fatima zahra mary anne lee ann lynn james joao paulo antonia aparecida conceicao da blanca
    nieves inocente abel abigail abraham adela adelaida adolfo agustin aida aldo alonso amalia amanda amparo
    anabel aurelio aurora azucena barbara belen brenda candelaria candelario carla carmelo celia celso clara
    clemente cornelio dagoberto dalia damian daria dario delfina delmy demetrio dina dora doris edith edmundo
    efrain eleazar eliseo eloisa elsa elvia elvira ema emanuel emma erick erika ever ezequiel federico fidel flor
    florencia florencio floridalma franklin freddy gaspar genaro geovany gilma giovanni gisela gladys gricelda
    griselda heidi heriberto hilda hilario hipolito imelda inocencio ismelda israel ivania jairo jacinto janeth
    javiera jazmin jeison jerson jessica jhon jhonatan joana johan jordy josefa josefina josias joselyn josselyn
    jovita judith juventino katherine kenia lazaro leandro leonor lesbia lesly lilian lina lisandro lizbeth lucas
    lucero lucila lucinda lupe mabel macario manolo marcela marcelino marcelo marcial maricela mariela marilu
    maritza marleny marlon marvin matias maura melvin mercy mirna mirta misael nahum nataly nelly nery nestor
    nidia nilda noemi nora obdulia odalys ofelia olivia onelia oralia orlando oswaldo otilia otto ovidio pascual
    perla petrona porfirio priscila ramiro raquel reynaldo rigoberto roxana rosalba rosalia rosaura rosendo rufina
    rutilio sabrina samanta selvin selena silverio simon soledad steve suleyma susan tania teodoro tito tulio
    ulises uriel valeria vanesa vidal viviana vladimir wilber wilder wilfredo xiomara yanira yasmin yeimi yeny
    yohana yoselin yovani yuri zenaida zulma alan allan andrew anthony arthur austin brandon carl charles
    christopher dylan edward emily eric frank fred george grace gregory harry jack jacob jason jeffrey jerry joe
    joshua justin keith kenneth larry linda lisa louis luke margaret mark matthew mike natalie nathan nicole
    oliver peter philip rachel rebecca richard robert ronald ryan sam scott sean sharon stephen terry thomas tim
    timothy tyler vincent xiao alexandre augusto caio cristiano diogo emanuele evandro fabricio gilson helena
    henrique ivo joaquim luana marcia mateus matheus murilo otavio rafaela renan renata rodolfo thiago tiago
    vinicius wagner emmanuel francois frantz guerline jacques jude judeline louise marc mirlande myriam nadege
    rose roseline stanley wilner yves olena oksana dmytro dmitri sergei sergey yulia anastasia tatiana nikolai
    mikhail yusuf hassan hussein ibrahim khalid mustafa osman yasir amina aisha khadija maryam hamza bilal camilo
    modesto zacarias horacio danilo amelia pamela isabela anselmo angelo manuela marcel gaston americo auguste
    estela alma abril segundo dante bienvenido yamileth yamilet keylin yerlin dayana dayanara estefania estefani
    jose-luis milton anderson jefferson brandy kimberly britany wendi darwin elkin yeison jhonny jonatan jeferson
    maicol maykol marbin melbin melany nohemi noemy ingris idalia berta bertha eulalia eufemia felicia fidelina
    florentino francisca fredy gerson gladis glenda griselda guillermina hermelinda hermenegildo hernan hilda irma
    isidro jeaneth julissa kateryn keila leidy leopoldo leticia lourdes luisito maira marbella marilyn maximiliano
    mayra merlin miladys mirian nancy narciso nayeli neftali nicanor nolberto odilia osman osvaldo otoniel
    pascuala pedrina ramona reina reyna romeo romulo rony rosario rosmery sarai santa santos saturnino secundino
    serafin severino sindy sulma telma tobias vilma walter wilman wilson yenifer yessica yesica yolany yuliana
    yulissa zully abelardo abundio adalberto adonis agapito albino alcides alejo alfonsina alirio almudena alondra
    alvaro amber ambrosio amilcar amira anacleto anahi anai anastacio anastasio andreina angelino anibal aniceto
    antolin apolinar apolonia apolonio aquiles araceli aracely ariadna ariel aristides arlen arleth armida arnaldo
    arnoldo arnulfo arsenio artemio astrid atanasio atilio aura aureliana aureliano azael balbina baldomero
    balduino baltazar bartolo bartolome basilio baudilio benicio benigno benito berenice bernabe bernardino bertin
    bianca bladimir bonifacio brett briseida brittany bruno byron calixto candido carline carmela casimiro
    catarina catarino cayetano ceferino celedonio celestina celestino chantal cipriano ciriaco ciro claribel
    clarice clarisa clarissa claudette claudino claudio clelia cleofas cleotilde clotilde conrado cornelia cosme
    courtney crescencio crisanta crisanto crispin cristal cristel cristopher crystal cuauhtemoc curtis dairo
    damaris danelia danna daphnee darlin darling darnell davi dayanna daysi deisy delia demetria denise derrick
    desiderio deyanira deysi dieudonne diomedes dionicia dionisio dominga donaldo donato dorothy douglas duane duc
    duglas duilio dulce dwayne ebelin eber ebert edelmira edelmiro edeltraud edenilson edgardo edilberto edilma
    edilson eduarda edubina edvin edy efren egidio eladio eleuterio elian eliana elida eligio elio elisa elisabeth
    eliud eloy elpidio eluvia elva elvin emeli emelina emerita emerson emigdio emilia emiliana emiliano emperatriz
    engracia enma epifanio erasmo ermelinda ermelindo ernestina ernst erwin esmeralda estelita estuardo ethan
    eufemio eulalio eulogio eunice eusebia eusebio eustaquio evangelina evaristo evelia evelin evelio evens ezio
    fabienne facundo faustina faustino fausto fedner feliciano felicita felicitas felipa fermin fermina fidencio
    filemon filiberto filomena filomeno flavia flavio flora floriberto florinda fortino fortunato fredi fritz
    fulgencio fulvia gabino galilea genesis genoveva geronimo gersom gertrudis gilda gildardo giovani giovanny
    giselle gonzala grisel gualberto guerda guido gumercindo gustava hannah harold haydee heather heber heliodoro
    henrry herlinda hermelindo hermes herminia herminio hernando heydi higinio hipolita hoang homero honorio
    hortensia humbelina hung huong huu ibeth idelfonso ilda ileana ilse imer iracema irineo irvin isabelina
    isabella isaura isela isidora isidoro isolina issac italo itzel ivana iveth ixchel jaci jackeline jacobo
    jacqueline jader jamal jamie jamileth janely janet jannet jaquelin jaqueline jeannette jeff jeimy jenifer
    jenny jeny jeremy jerome jeronimo jersson jesenia jessenia jimena jimmy joanna joaquina jocelyn jocelyne jonas
    jonel jordan jorgelina josafat josefino joselin josselin jovani jovany jovina joyce juancarlos juanita julieta
    juscelino justina justiniano juvenal juvencio karla karol karolina katerin katia katty keisha kelsey kenny
    keren kerin kervens ketlie keyla khoa kyle laila latoya lauro lautaro leandra leidi leila leoncio leonela
    leonidas leonila leopoldina lesbi lester leyla liboria librado licha ligia lilia liliam lilibeth linh lino
    lisbeth lisseth livia lizandro lizeth loida lorenza lorenzo loreto luciana luciano lucrecia ludivina luiza
    luzmila lyda mackenson macrina magali magalie magaly magda maikel maite malena manfredo manoel manuelita
    marcelina marcus margarito margot marianela mariano marilin mariluz marina marino marisa marisela maritere
    marjorie marlen marlene marlin marlyn martina martiniano matea matilde mauro maxima maximino mayela maynor
    megan melania melecio melina melisa melissa melquiades micaela miguelina mildred milena milka minerva
    mireille mirella mireya modesta monserrat muriel nadia nadine nahomi narcisa natanael nathalie nazario nelda
    nelida nemesio nereida nereyda nicolasa nicomedes nilsa nilson ninfa noah noelia nohelia norberto norman nubia
    obdulio obed octavia odilon odin ofelio olegario olinda oliverio omaira onesimo orfa orlin osiris osmin
    pablina pancracio patricio paulina pelayo petronila petronilo phuong pio placido plinio policarpo porfiria
    primitivo prospero prudencio purificacion quang querubin quirino raimunda raimundo raulito raymundo regina
    reinaldo reinel remigio renato reymundo rita roberta robinson rocael rodolfa rogelia rolan romelia romilio
    romualdo ronaldo roni rosalina rosalinda rosalino rosalio rosana rosangela roselia rosemary rosemond rosenda
    rosibel rosina rosmeri roxanna rubenia rudi rudy ruperta ruperto rutila sabina salome salomon samantha samira
    samson sandro sarahi saulo sebastiana sebastiao selene selma serapio sergia servando seth severiana severo
    shane silvana silvano silvestre silvino simeon simona siomara sixto sofonias soila soraida sotero stefani
    suleima susy suyapa tadeo tamara telesforo teodora teodulo teofilo terencio teresita thanh thuy tiburcio
    tiffany timoteo tomasa toribio tracy trang tranquilino travis tuan tyrone ubaldo urbano ursula uvaldo valdemar
    valdir valentin valentino valeriano valerio venancia venancio veneranda vicenta victorina victorino viky
    violeta virgilio virginio viridiana vitalina vitalino waldemar waldina walther wanderley wesley widelene
    wilfran wilfrido wilian wilmar wilver woodly xochitl yair yamil yanet yaneth yareli yaritza yasmina yecenia
    yeferson yefri yeimy yeni yenmi yenny yerson yesid yessenia yobani yoel yohan yohanna yolette yonatan yoni
    yordi yosselin yunior yuridia yury yvon yvonne zaida zonia zoraida zulema zuleyma zuly"""
) | words(name_lists.GIVEN)
"""Given names that often stand second, so that two of three words may be given names."""

SURNAMES = words(
    """acosta aguilar alonso alvarado alvarez amaya avila ayala bautista benitez blanco bonilla cabrera calderon campos
    cardenas carrillo castillo castro cervantes chavez contreras cordova corona cortez cruz delgado diaz dominguez
    duran enriquez escobar espinoza estrada fernandez figueroa flores franco fuentes galvez garcia garza gomez
    gonzales gonzalez guerra guerrero gutierrez guzman hernandez herrera ibarra jimenez juarez lara leiva leon
    lopez lozano luna maldonado marquez martinez medina mejia mendez mendoza meza miranda molina montes montoya
    morales moreno munoz navarro nunez ochoa orellana orozco ortega ortiz pacheco padilla palacios paz pena
    peralta perez pineda portillo quintero ramirez ramos reyes rios rivas rivera robles rodriguez rojas romero
    rosales rubio ruiz salazar salgado salinas sanchez sandoval santana santiago santos serrano silva solis soto
    suarez tejeda torres trujillo valdez valencia valenzuela vargas vasquez vazquez vega velasquez velez vera
    villa villanueva zamora zapata zavala zelaya zuniga smith johnson williams brown jones singh kaur chen wang li
    zhang nguyen pham kim lee abarca aguirre alarcon alfaro almeida andrade aparicio aragon arana aranda arellano
    arevalo argueta arias arriaga arroyo arteaga ascencio avalos avelar baez balderas banuelos barahona barajas
    barragan barrera barrientos barrios batista becerra bermudez bernal borja bravo burgos bustamante bustos caal
    caballero caceres camacho canales cano cantu carranza carrasco casas castaneda castellanos ceballos centeno
    cerna cerda chacon chavarria choc chub chun cifuentes colindres colon coreas coronado corrales cortes cuellar
    cuevas davila delarosa deleon dubon echeverria elizondo escalante escamilla escobedo esparza espinal espinosa
    esquivel fajardo farias felix ferrer fierro figueredo frias fuentealba funes funez galeano galindo gallardo
    gallegos gamboa garay gil giron godinez godoy gomes gonsalez granados grijalva guardado guevara guillen
    gutierres haro henriquez hidalgo huerta hurtado ical iglesias infante ixchop izaguirre jacinto landaverde
    lagos lainez lazo leal lemus leyva lima linares lira llanos londono lobo lucero lugo machado macias madrid
    magana mairena marin marroquin matute mazariegos mejias melendez melgar mendes menjivar mercado merino
    mondragon monge monroy montenegro montero montalvo mora moran moreira mosquera murillo najera naranjo nava
    neruda nieto noriega nolasco olivares oliva olvera ordonez osorio osorto otero ovalle paredes parra pastor
    paulino pedraza perdomo pereira peres pinto pinzon polanco ponce portal pop posadas prado preciado prieto
    puente pulido quezada quiroz quispe quiej ramires rendon restrepo reyna rincon riquelme robledo rocha rodas
    rodrigues roldan roman rosado rosas rubi rueda saavedra saenz salas salcedo saldana salmeron salvatierra
    sanabria sanches saravia sarmiento saucedo segura sepulveda sierra sifuentes solano solorzano sosa sotelo
    tapia tejada tellez teran tercero toledo tovar trejo tzoc ulloa umana urbina uribe urrutia valdes valdivia
    valle vallejo varela vasques velasco venegas ventura vergara vidal vigil villalobos villalta villatoro
    villegas yanez ycaza zambrano zarate zavaleta zepeda zetino reza kovalenko shevchenko petrov ivanov kumar
    patel sharma khan ahmadi karimi hosseini souza oliveira costa ferreira barbosa ribeiro cardoso teixeira joseph
    pierre louis charles toussaint celestin diallo okafor mensah osei okoro amador barros correa borges duarte
    correia camara ocampo arenas gracia granado posada apodaca rodarte aviles vieira padron barela alcantar corral
    casarez tamayo galvan valles carrera berrios bolanos moraes mireles marques cespedes almonte toapanta chiluisa
    guaman yupa quishpe chicaiza mamani condori huaman choque yujra caiza pilco sabillon benavides almendarez
    banegas bejarano belteton bolivar botero buitrago bulnes burbano caicedo cabal caro carmona casco ceron chicas
    cisneros claros coc cuc coy tiul ixcoy ixcot tzul tzoc batz raxcaco ajpop xol pec ba tut cac escalona escoto
    estevez euceda ferrera galdamez garces garrido gaitan gavidia giraldo gonzaga guzman henao hinojosa hoyos
    jaramillo jarquin lacayo lagos leyton llanes loaiza londono loor lugo lucas manzanares marcano melara membreno
    merchan mina moncada morazan murcia narvaez obando olmedo osorno otalora pallares palma parrales pastrana
    patino peguero pichardo pinales polo portela quevedo quintana quintero quintanilla recinos reynosa rosa rugama
    sandino sarceno sevilla siguenza soriano tabora tavarez tenorio tigre tobar tolentino toscano tum ulate
    umanzor urena valladares vallecillo varon veliz vides villacis villafuerte yat zapata zelaya zometa bangura
    traore toure yilmaz demir kaya celik webb mccarthy abdi abebe abubakar acevedo adams addo adeyemi aguilera
    agyeman albarado alcala alcaraz alegria allen alvarenga alves amezcua ancheta anguiano angulo antunez apaza
    appiah aquino arancibia arango araujo araya arcos arguello arreola arrieta arteta asante asencio asturias
    avelino avendano azevedo badillo bailey baker balam balde ballesteros balogun banda barboza barco barnes
    barreto barry bastidas bedoya begum bekele bello belmonte beltran beltre bennett berganza bermudes betancourt
    boateng bobadilla bocanegra bojorquez bondar borrego boyko brar briones briseno brito brizuela brooks buendia
    bueso buezo bui butler cabral cabrales cadena cajina calero calix calvillo camargo campbell candia cantillo
    carbajal cardona carias carranco carter carvalho casanova cascante castano castellon casteneda castrejon
    catalan cazares cedeno ceesay celaya cepeda chamorro chaudhry checo chilel chitay choxom ciprian cisse
    cisternas clark cobos cojulun cole coleman collado collins conde cooper cordero corea cotto coulibaly
    covarrubias cox crespo cubas cuesta culajay cumatz dang davis deras dhillon diop duong duron echavarria
    edwards enamorado encarnacion escalera espinola evans eze farah faye feliz fernandes ferrada fisher florian
    fonseca foster frausto freire freitas fuertes galarza galeas gallego galo gamez garcilazo garnica gaviria
    gebre gill gironza goncalves gordillo graham gramajo gray green grewal gueye guity guo gurung
    haile hamilton harris henderson hercules hermosillo hernandes herrarte hill hinestroza howard huang hughes
    huitz hussain huynh ibanez iqbal iraheta irizarry iturra ixmata izquierdo jackson jaimes jallow jara jenkins
    jerez joya jurado kamau kane keita kelly konate kone kozlov kravchenko kuznetsov laguna laines lamas landa
    landeros larios lazcano leanos lebedev lebron ledezma lewis lezama liang licona lin liu lizama lizarraga
    llamas loera lopes lovato lozada lucio lule maciel madrigal magallanes malik mancia mancilla manrique marchena
    mariscal martin martines martins mascarenas mata maya mayorga mazariego mbaye medrano melnyk mendonca meneses
    menjivares mezquita milla miller mitchell moctezuma mohamud mojica molano montanez monteiro monterrosa
    monterroso monzon moore moraga morgan morillo morozov morris moura munguia murga murphy musa mwangi myers
    nascimento natareno ndiaye nevarez njoroge nogueira noguera nova nuno nwosu obregon ocasio okonkwo olivas
    olivera onate ontiveros ordaz orihuela orona orosco osuna otieno oviedo owens owusu oxlaj pacay paiz pajaro
    palacio palencia palomino paniagua pantoja pardo parker partida patterson payan pedroza penagos penaloza
    penate peraza pereda perry pesantez peterson phan phillips picado pinheiro pires pivaral pizarro plascencia
    plazas popov porras powell pozo preza puc puga quan quej quinones quinonez quintanar quiroga rabanales
    rai ramalho rangel raudales recancoj redondo reed regalado rengifo resendiz reynolds reynoso rezende riascos
    richardson rivero roa robayo roberts robleto rogers romanov roque rosell ross rossi ruano rubiano russell
    sagastume salaz saldivar sales salguero sall sanders sandhu sanic saquic sarabia sarr segovia serna serrato
    shrestha sical sidhu sidibe sigala simmons siquina smirnov sokolov solares sorto sow stewart suazo suchite
    sullivan sylla tadesse tamang tambriz tavera taylor tecun tello terrazas tesfaye thapa thompson
    tijerina tiznado tkachenko toj tojin toledano topete torrez tosta tovias tran treminio trigueros troncoso
    truong tubac turcios turner tux uc uddin ugalde urias urquia urquilla urzua uscap vaca valadez valderrama
    valiente vallejos vaquero vasconcelos velarde verdugo viana viera vilchez villagomez villagran villareal
    villarreal villeda vo volkov walker wallace wanjiru ward warsame watson white wood woods wright wu xiloj xu
    yanes yang yax yoc yon young zabala zaldana zaldivar zamudio zapet zarco zeledon zhao zheng zhou zhu zubieta
    zurita"""
) | words(name_lists.SURNAMES)
"""Surnames that are seldom anything else."""

/**
 * Words of a question that say nothing of what it is about, in the languages of most visitors. A question of no other words is about those that only
 * the lists of other languages have ("van"). The English list leaves "will" to the German one, so that "I need a will" is about something.
 */
const LISTS = {
  english: `a about am an and any are as at be been but by can could did do does doing done dont for from had has have having hello hey hi how
    i id if ill im in into is isnt it its ive just know let like may me might my need no not now of ok okay on or our please shall she should
    so some tell than thank thanks that thats the their them then there they this to too us want was we were what whats when where which who
    whom whose why with would yes you your yours able also any anybody anyone anything at because before been being between both each either else ever every get gets getting go
    goes going got gotten here however just looking lot many maybe more most much must myself often only other others perhaps possible quite rather
    really same since somebody someone something still such sure these those though through too under until upon very well were whether while within
    without wonder wondering`,
  german: `aber als am an auch auf aus bei bin bitte da das dass dein deine dem den der des die dies diese dieser dieses doch du durch ein eine
    einem einen einer eines er es euch eure euer fur gern gerne gibt habe haben habt hallo hatte ich ihr ihre ihren ihnen im in ist ja kann kannst
    konnen konnte kein keine mal man mein meine meinen mich mir mit mochte muss mussen nach nicht nein noch nur ob oder ohne schon sehr sein
    seid sich sie sind so um und uns unser unsere vom von vor wann warum was welche welcher welches wenn wer werden wie will wir wird wo wurde
    zu zum zur uber danke`,
  french: `a au aux avec avez avoir bonjour ce ces cest cette comment dans de des du elle en est estce et etre il ils je jai la le les leur
    leurs lui ma mais mes merci moi mon ne nos notre nous on ou oui par pas peut peux pour pouvez puis quand que quel quelle quelles quels quest
    qui quoi sa sans se ses si sont sur ta te tes toi ton tu un une vos votre vous y`,
  spanish: `al algo buenos como con cual cuales cuando de del desde donde el ella ellos en era eres es esa ese eso esta este esto estan estoy
    fue gracias ha hasta hay hola la las le les lo los mas me mi mis muy ni nos o para pero por porque puede puedo que quien quiero se ser si
    sin sobre su sus te tengo tiene tienen tu tus un una unos y yo`,
  italian: `al alla alle anche buongiorno che chi ci ciao come con cosa da dal dalla dei del della delle di dove e ed gli grazie ha ho i il in
    io la le lo loro ma mi mio ne nei nel nella non o per perche piu posso puo quale quali quando quanto questa questo se sei si sia siete sono su
    sul sulla ti tra tu un una uno vi voi vorrei`,
  dutch: `aan als bij dan dat de deze die dit een en er graag had heb hebben hebt heeft het hij hoe hoi ik in is je jij jullie kan kunnen kunt
    maar me met mijn naar niet nog nu of om onze ook op over te tot u uit uw van veel voor waar wanneer waarom was wat we wel welke wie wij wil
    wilt worden ze zich zij zijn zo zou`,
  portuguese: `ao aos as com como da das de do dos e ela ele em era essa esse esta este eu foi ha isso ja mais mas me meu minha na nao nas no nos
    o obrigado ola onde os ou para pela pelo pode por porque posso qual quais quando que quem quero se sem ser seu sua sim sobre sou tem tenho um
    uma voce voces`,
};

export const STOP_LISTS: readonly ReadonlySet<string>[] = Object.values(LISTS).map((list) => new Set(list.split(/\s+/)));
export const STOP_WORDS: ReadonlySet<string> = new Set(STOP_LISTS.flatMap((list) => [...list]));

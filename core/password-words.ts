/**
 * What people choose first, and therefore what others try first: words that carry nothing once digits and marks around
 * them are taken off, and whole passwords that follow no such pattern. Compiled from the habits every leaked list shows.
 */
const WORDS = `
  aaa aaaa abc abcabc abcd abcdef abcdefg access accessdenied admin administrator agency alejandro alexander alexandra alexis amanda america american
  amor amore andrea andrew android angel angela angels anna anthony antonio anything apollo apple april argentina arsenal asdasd asdf asdfasdf asdfgh
  asdfghjkl ashley asshole athena august australia autumn azerty baby babyboy babygirl backup banana barcelona baseball basketball batman bayern bear
  beatles berlin bigdick bitch biteme blessed blizzard blowme bonjour boston brandon brasil brian broncos brother business buster butterfly california
  callofduty camila canada captain carlos catcat cats change changeit changeme charlie charlotte cheese chelsea cherry chicago chicken chocolate
  chouchou christ christian classified client cobra coffee colombia company computer confidential contrasena cookie corazon corvette counterstrike
  cowboys crow crystal dallas dance dancer daniel daniela danielle darling database daughter december default demo demodemo denied deutschland diamond
  diego dogdog doggy dogs dollar dolphin dolphins dortmund doudou dragon dragonball drummer eagle eagles eduardo elephant elizabeth elvis emily eminem
  emma england estrella everyone example facebook faith falcon family father february fernando ferrari ficken florida flower flowers football forever
  fortnite francisco freedom friday friend friends frodo fuckoff fuckyou gabriela galaxy gamer games gaming gandalf geheim george ginger giraffe gmail
  goku golden golf goodbye goodluck google gorilla granted gryffindor guest guitar hallo hallohallo halo hannah happy harley harrypotter hawk heather
  heaven hello hellohello helloworld hercules hermione hobbit hockey hogwarts hola honda honey horse hotmail hottie hunter ilove iloveyou instagram
  internet iphone ironman isabella jackson january jennifer jessica jesus johnson jordan joshua july june junior jupiter justin juventus keepout kevin
  killer kitten kitty lakers laura lauren legolas letmein letmeinn lightning linda linkedin lion liverpool lkjhgfdsa login lol lollol london loulou love
  lovely lover lovers loveyou lucky madrid manchester manuel march maria mariana mario marseille master matrix matthew maxwell melissa mercedes mercury
  merlin metallica mexico michael michelle microsoft midnight miguel million minecraft mnbvcxz monday money monkey moonlight morgan motdepasse mother
  music musical mustang naruto natalie natasha neptune nicole ninja nintendo nirvana nobody nothing november october office olivia opensesame openup
  orange packers panther paris partner pass passw password passwords passwort patrick patriots peanut penguin pepper phoenix pikachu pinkfloyd player
  playstation pluto poiuytrewq pokemon porsche portal potter princess private puppy purple pussy pwd qazwsx qazwsxedc qwaszx qweasd qweasdzxc qweqwe
  qwerty qwertz rabbit rachel rafael raiders rainbow ranger raven rebecca redsox ricardo richard robert roberto roblox rocket rocknroll rockstar root
  sabrina safety samantha sample samsung sandbox sandra sarah sasuke saturday saturn schalke schatz scooter scorpion secret secrets secure security
  senior september server service sesame sexy shadow shark silver sister skater slipknot slytherin smile snake snowball snowman soccer soleil someone
  something sommer sonic sonne sophie spider spiderman spring starcraft stardust startrek starwars steelers stephanie steven storm strawberry summer
  sunday sunrise sunset sunshine superman support surfer sweetheart sweety system taylor teamo temp temporary tennis tequiero test tester testing tests
  testuser texas thomas thunder thursday tiger tigers tigger together topsecret toyota trustno trustnoone tuesday turkey turtle twitter tyler united
  universe unknown uranus user valentina vanessa vegeta veronica victoria viper voldemort warcraft warrior wednesday welcome whale whatever william
  windows winter wizard wolf wsxedc xbox yahoo yamaha yankees yellow youtube zaqwsx zaqxsw zelda zeus zxcv zxcvbn zxcvbnm zxczxc
`;
const WHOLE = `
  11223344 112233445566 12121212 123123123 12344321 123454321 123456654321 1234qwer 123qweasd 123qweasdzxc 13131313 147258369 14789632 159357258
  159753456 19851985 19901990 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2 20002000 27182818 31415926 321321321 741852963 789456123 852456852 987654321
  a12345678 a1b2c3d4 aa123456 abc12345 abc123456 abcd1234 admin123 admin1234 administrator1 asd123456 asdf1234 asdfg123 baseball1 blink182 changeme1
  charlie1 computer1 dragon123 football1 guest1234 hello123 hello1234 iloveyou1 iloveyou2 internet1 jordan23 letmein1 login123 master123 michael1
  monkey123 ncc1701d p@ssw0rd p@ssword pa$$word pass1234 pass12345 passw0rd password1 password12 password123 password1234 princess1 q12345678 q1w2e3r4
  q1w2e3r4t5 qwe123456 qwer1234 qwert123 qwerty12 qwerty123 qwerty1234 root1234 rush2112 secret123 shadow123 sunshine1 superman1 temp1234 test1234
  test12345 thx1138 trustno1 user1234 welcome1 welcome123 whatever1 zaq12wsx zaq1zaq1 zxcvbnm1
`;

export const COMMON_WORDS: ReadonlySet<string> = new Set(`${WORDS} ${WHOLE}`.trim().split(/\s+/));

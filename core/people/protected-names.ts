import unhomoglyph from 'unhomoglyph';

/**
 * Names that a fraudster would borrow to write to strangers: banks, payment and delivery services, widely used accounts, authorities. A name
 * that resembles one is looked at by staff before its owner's mail goes to strangers. See docs/behaviour/mail.md.
 */

/** Raised with every change of the lists or of how a name is read: saved names are compared again then. */
export const NAME_RULE_VERSION = 1;

/** Distinctive enough to count wherever they stand, also joined with other words. */
const DISTINCTIVE = [
  'PayPal',
  'Microsoft',
  'Office 365',
  'Outlook',
  'Google',
  'Gmail',
  'Facebook',
  'Instagram',
  'WhatsApp',
  'Telegram',
  'LinkedIn',
  'TikTok',
  'Netflix',
  'Spotify',
  'Dropbox',
  'DocuSign',
  'Adobe',
  'iCloud',
  'Amazon',
  'Alibaba',
  'Coinbase',
  'Binance',
  'MetaMask',
  'Blockchain.com',
  'Western Union',
  'MoneyGram',
  'Mastercard',
  'American Express',
  'Klarna',
  'Revolut',
  'Venmo',
  'Wells Fargo',
  'Bank of America',
  'JPMorgan',
  'Citibank',
  'Capital One',
  'Goldman Sachs',
  'Morgan Stanley',
  'HSBC',
  'Barclays',
  'NatWest',
  'Lloyds Bank',
  'Santander',
  'BBVA',
  'CaixaBank',
  'Sparkasse',
  'Commerzbank',
  'Deutsche Bank',
  'Volksbank',
  'Raiffeisen',
  'Postbank',
  'Crédit Agricole',
  'Société Générale',
  'BNP Paribas',
  'UniCredit',
  'Intesa Sanpaolo',
  'Rabobank',
  'ABN AMRO',
  'Nordea',
  'Danske Bank',
  'UBS Bank',
  'Credit Suisse',
  'FedEx',
  'USPS',
  'Deutsche Post',
  'Royal Mail',
  'La Poste',
  'Europol',
  'Interpol',
  'Finanzamt',
  'Internal Revenue Service',
  'Social Security Administration',
  'HM Revenue',
] as const;

/** Common words as well: they count alone, or with a word of `LURES`. */
const COMMON = [
  'Apple',
  'Meta',
  'Visa',
  'Chase',
  'Stripe',
  'Square',
  'Wise',
  'Zelle',
  'Citi',
  'ING',
  'DKB',
  'N26',
  'UPS',
  'DHL',
  'DPD',
  'GLS',
  'IRS',
  'HMRC',
  'FBI',
  'Discover',
  'Steam',
  'Ledger',
  'eBay',
  'Target',
  'Walmart',
] as const;

/** Words of a message about an account, money or a parcel. */
const LURES = new Set(
  (
    'account accounts alert alerts bank banking billing card cards care center centre claims collections customer customs delivery department ' +
    'express fraud help helpdesk id identity invoice konto kundenservice login official online parcel pay payment payments post protection refund ' +
    'refunds risk secure security service services shipping sicherheit signin support team transfer tracking unlock verification verify wallet'
  ).split(' '),
);

/** Blanks and signs inside a word that a reader does not see: "P.a.y-P_a_l". */
const SEPARATORS = /[^\p{L}\p{N}]+/u;

/** Digits and signs that are read as letters; `unhomoglyph` has those of other scripts. */
const READ_AS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'l',
  '|': 'l',
};

type Protected = { name: string; joined: string };

const distinctive = DISTINCTIVE.map(entryOf);
const common = COMMON.map(entryOf);

/** Returns the protected name that a name of an agency or a business resembles; null for any other. */
export function resembledName(name: string): string | null {
  const words = wordsOf(name);
  const runs = runsOf(words);
  const found = distinctive.find(({ joined }) => runs.has(joined) || (joined.length >= 6 && words.some((word) => word.includes(joined))));
  if (found) return found.name;
  const hasLure = words.some((word) => lures.has(word));
  const whole = words.join('');
  const lured = common.find(
    ({ joined }) => whole === joined || (hasLure && runs.has(joined)) || words.some((word) => joinsLure(word, joined)),
  );
  return lured?.name ?? null;
}

/** "applesupport", "supportapple". */
function joinsLure(word: string, joined: string): boolean {
  if (word.startsWith(joined) && lures.has(word.slice(joined.length))) return true;
  return word.endsWith(joined) && lures.has(word.slice(0, -joined.length));
}

function entryOf(name: string): Protected {
  return { name, joined: wordsOf(name).join('') };
}

/** Words next to each other, written as one: "pay" and "pal", or the letters of "p a y p a l". */
function runsOf(words: readonly string[]): Set<string> {
  const runs = new Set<string>();
  for (let from = 0; from < words.length; from += 1) {
    let run = '';
    for (let to = from; to < words.length && run.length < 40; to += 1) {
      run += words[to] ?? '';
      runs.add(run);
    }
  }
  return runs;
}

function wordsOf(name: string): string[] {
  return skeleton(name).split(SEPARATORS).filter(Boolean);
}

/** The text as it is read: compatible forms, marks and look-alikes replaced, every doubled letter once. */
function skeleton(text: string): string {
  const plain = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '');
  // Before and after lower case: "І" looks like "l", "і" like "i".
  const latin = unhomoglyph(unhomoglyph(plain).toLowerCase()).toLowerCase();
  const letters = latin.replace(/[013457@$!|]/gu, (sign) => READ_AS[sign] ?? sign);
  return letters
    .replace(/vv/gu, 'w')
    .replace(/[il]/gu, 'l')
    .replace(/(\p{L})\1+/gu, '$1');
}

const lures: ReadonlySet<string> = new Set([...LURES].flatMap(wordsOf));

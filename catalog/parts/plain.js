// A text that came as HTML alone, nearly as its reader sees it.
const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest ' +
  'Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig ' +
  'agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const ENTITIES = new Map([
  ...LATIN_1.split(' ').map((name, at) => [name, String.fromCodePoint(160 + at)]),
  ...Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    shy: '',
    euro: '€',
    ndash: '–',
    mdash: '—',
    hellip: '…',
  }),
  ...Object.entries({ lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”', bdquo: '„', bull: '•', trade: '™' }),
]);
const signOf = (whole, hex, decimal, name) => {
  if (name) return ENTITIES.get(name) ?? ENTITIES.get(name.toLowerCase()) ?? whole;
  const point = hex ? Number.parseInt(hex, 16) : Number(decimal);
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
};
// Without heads and titles; the end of a head may be left out before the body. An expression would look for the end of each in the whole rest of the text.
const withoutHeads = (text) => {
  const tags = [...text.matchAll(/<(?:(head|title)\b[^<>]*>|\/(head|title)\s*>|body\b)/gi)];
  const ends = {};
  const heads = [];
  for (const { 0: tag, 1: begun, 2: ended, index } of tags.reverse()) {
    if (ended) ends[ended.toLowerCase()] = index + tag.length;
    else if (begun === undefined) ends.head = ends.title = index;
    else if (ends[begun.toLowerCase()] !== undefined) heads.push([index, ends[begun.toLowerCase()]]);
  }
  let plain = '';
  let rest = 0;
  for (const [start, end] of heads.reverse()) {
    if (start < rest) continue;
    plain += text.slice(rest, start);
    rest = end;
  }
  return plain + text.slice(rest);
};
export const plainOf = (text) =>
  /<(?:!doctype|html|body|div|p|br|table|span)\b[^<>]*>/i.test(text)
    ? withoutHeads(text.replace(/<(style|script)\b[^<>]*>[\s\S]*?(?:<\/\1\s*>|(?=<body\b)|$)/gi, ''))
        .replace(/<(?:br|hr|\/p|\/div|\/h[1-6]|\/?(?:tr|li|dt|dd|ul|ol|blockquote|section|article))\b[^<>]*>/gi, '\n')
        .replace(/<\/?(?:td|th|button)\b[^<>]*>/gi, ' ')
        .replace(/<\/?[a-z!][^<>]*>/gi, '')
        .replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]\w{1,7}));/gi, signOf)
        .replace(/[^\S\n]+/g, ' ')
        .replace(/ ?\n\s*/g, '\n')
        .toWellFormed()
        .trim()
    : text;

// What a language model is asked to read: the begin of a text that is too long for it, and its end, where the question often is.
const READ_MAX = 8000;
const END_MAX = 2000;
export const excerpt = (text) => {
  const whole = plainOf(String(text ?? '')).trim();
  if (whole.length <= READ_MAX) return whole;
  // It begins with a whole word where it has one, and never with half a sign.
  const end = whole.slice(-END_MAX).replace(/^\S{0,100}\s+|^[\uDC00-\uDFFF]/, '');
  return clip(whole, READ_MAX - END_MAX) + '\n[…]\n' + end;
};

// Kept here instead of using libphonenumber's metadata, because masking also runs in the browser. A test compares them.
const ONE_DIGIT_CODES = new Set(['1', '7']);

const TWO_DIGIT_CODES = new Set(
  '20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98'.split(
    ' ',
  ),
);

/**
 * Masks the middle of a phone number: "+13125550121" becomes "+1 312 ··· 0121", "+442079460000" becomes "+44 ··· 0000".
 * Keeps enough to recognise a known contact and too little to call one. Any other text becomes "···".
 */
export function maskPhone(value: string): string {
  const digits = internationalDigits(value);
  if (digits === null) return '···';
  const code = countryCode(digits);
  const area = code === '1' && digits.length === 11 ? ` ${digits.slice(1, 4)}` : '';
  return `+${code}${area} ··· ${digits.slice(-4)}`;
}

/** Masks the local part of an e-mail address except its first letter: "a···@example.com". Any other text becomes "···". */
export function maskEmail(value: string): string {
  const at = value.lastIndexOf('@');
  if (at < 1) return '···';
  return `${value.slice(0, 1)}···${value.slice(at)}`;
}

/**
 * Masks every phone number (international, or in North American notation) and e-mail address inside a longer text.
 * The text is untrusted and up to 1 MiB long, so every expression runs in linear time: the look-behind lets an address match
 * only at the start of its run of letters.
 */
export function maskText(value: string): string {
  return value
    .replace(/(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, (address) => maskEmail(address))
    .replace(/\+[1-9][\d\s().-]{6,20}\d/g, (found) => (internationalDigits(found) === null ? found : maskPhone(found)))
    .replace(/(?<![\w-])\(?\d{3}\)?[\s.-]?\d{3}[\s.-]\d{4}(?![\w-])/g, (found) => `··· ${found.slice(-4)}`);
}

/** Returns the digits of a number in international notation, without checking its country; null for any other text. */
function internationalDigits(value: string): string | null {
  const compact = value
    .trim()
    .replace(/[\s().\-/]/g, '')
    .replace(/^00/, '+');
  return /^\+[1-9]\d{6,14}$/.test(compact) ? compact.slice(1) : null;
}

/** Returns the country calling code that a number's digits start with. */
export function countryCode(digits: string): string {
  if (ONE_DIGIT_CODES.has(digits.slice(0, 1))) return digits.slice(0, 1);
  if (TWO_DIGIT_CODES.has(digits.slice(0, 2))) return digits.slice(0, 2);
  return digits.slice(0, 3);
}

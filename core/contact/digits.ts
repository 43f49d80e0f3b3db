const DIGIT = /\p{Nd}/u;
const DIGITS = /\p{Nd}/gu;

/** Returns a text with the digits of any script as those of ASCII: `٣` is 3. Unicode has them in runs of ten that begin with zero. */
export function asciiDigits(text: string): string {
  return text.replace(DIGITS, (sign) => {
    const point = sign.codePointAt(0) ?? 0;
    let value = 0;
    while (value < 9 && DIGIT.test(String.fromCodePoint(point - value - 1))) value += 1;
    return String(value);
  });
}

/**
 * Whether a key belongs to an input method, such as the Enter that confirms a word of it. Safari ends the word before that key arrives: only
 * its code says so then.
 */
export function isOfInputMethod({ isComposing, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  return isComposing || keyCode === 229;
}

import type { Locale } from '@partner-portal/contract/vocabulary.ts';

/** How a visitor plainly wishes for a person, in each language of the portal. What they do not catch is left to the model. */

const PERSON_EN =
  /(?:(?:a|an|some|the)\s+)?(?:(?:real|actual|live)\s+)?(?:human|person|people|agent|representative|employee|member of (?:the )?staff)/;
/** Needs words that ask: others are spoken to as well. */
const ANYONE_EN = /(?:some|any)(?:one|body)/;
const PERSON_DE =
  /(?:jemand(?:em|en)?|(?:einem|einer|einen|eine|ner|nem)\s+(?:(?:echt|richtig|real|lebend)e[nrm]?\s+)?(?:menschen|person|mitarbeiter(?:in)?|berater(?:in)?|angestellten|kollegen|kollegin))/;
const PERSON_ES =
  /(?:alguien|(?:un|una|el|la|alguna)\s+(?:(?:verdader[oa]|real)\s+)?(?:persona|ser humano|human[oa]|agente|representante|emplead[oa]|asesora?|operadora?))/;

const WISHES: Readonly<Record<Locale, readonly RegExp[]>> = {
  en: [
    wish`\b(?:talk|speak|chat|write|connect me|put me through)\s+(?:to|with)\s+${PERSON_EN}\b`,
    wish`\b(?:(?:can|could|may)\s+(?:i|we)(?:\s+please)?|let me|(?:want|need|like|wish|love|prefer)\s+to)\s+(?:talk|speak|chat)\s+(?:to|with)\s+${ANYONE_EN}\b`,
    wish`\b(?:connect me|put me through)\s+(?:to|with)\s+${ANYONE_EN}\b`,
  ],
  de: [
    wish`\bmit\s+${PERSON_DE}\b[^.!?]{0,40}\b(?:sprechen|reden|chatten|schreiben|verbinden|verbunden)\b`,
    wish`\b(?:sprechen|reden|chatten)\s+mit\s+${PERSON_DE}\b`,
    wish`\bverbinde(?:n\s+sie|t)?\s+mich\s+(?:bitte\s+)?mit\b`,
    wish`\b${PERSON_DE}\s+(?:sprechen|erreichen)\b`,
    wish`\bstell(?:en\s+sie|t|e)?\s+mich\b[^.!?]{0,60}\bdurch\b`,
    wish`\bmich\b[^.!?]{0,60}\bdurchstellen\b`,
  ],
  es: [
    wish`\b(?:hablar|chatear|conversar|comunicarme|comunicar|ponerme|(?:puede|podr[íi]a)n?\s+poner)\s+con\s+${PERSON_ES}\b`,
    wish`\b(?:p[áa]s[ae](?:n?me)|pasarme|comun[íi][cq]u?[ae](?:n?me)|con[ée]ct[ae](?:n?me)|p[óo]n(?:gan?)?me|me\s+(?:comuni(?:ca|que)|pas[ae]|pon(?:e|ga)|conect[ae])n?)\s+con\s+${PERSON_ES}\b`,
    wish`\b(?:me|nos)\s+atienda\s+${PERSON_ES}\b`,
  ],
};

/**
 * What stands right before words that are no wish then: "I don't want to", "Do I have to", "Ich möchte nicht", "¿Tengo que". The model reads such a
 * sentence. "Can't I" and "Kann ich nicht" ask.
 */
const NO_WISH: readonly RegExp[] = [
  /(?:\b(?:not|never|cannot|without|no need|rather than|instead of)|n['’]t)(?:\s+(?:really|even|want|wish|like|care|need|have|going|to))*\s*$/i,
  /\b(?:(?:do|did|will|would)\s+(?:i|we)\s+(?:really\s+)?(?:have|need)\s+to|must\s+(?:i|we)|(?:(?:was|were|been)\s+\w+(?<!ing)|helps?|learn)\s+to)\s*$/i,
  /\b(?<!\b(?:kann|k[öo]nnte|darf|k[öo]nnen|k[öo]nnten)\s+(?:ich|wir|man)\s+(?:denn\s+|hier\s+)?)(?:nicht|nie|ohne|statt|anstatt)(?:\s+(?:mehr|erst|extra|unbedingt))?\s*(?:mit\s+)?$/i,
  /\b(?:muss|m[üu]sste|soll|sollte)\s+(?:ich|wir|man)\s+(?:(?:daf[üu]r|dazu|erst|zuerst|unbedingt|wirklich)\s+)*(?:mit\s+)?$/i,
  /\b(?:no|nunca|sin|ni)\s+(?:(?:me|quiero|quisiera|deseo|necesito|hace|falta|tengo|que|ganas|de)\s+)*$/i,
  /¿\s*(?:tengo|tenemos|hay)\s+que\s+$/i,
];
/** "Mit einem Menschen sprechen möchte ich nicht." */
const NO_WISH_BEHIND = /^\s+(?:m[öo]chte|will|muss|brauche)\s+ich\s+nicht\b/i;

/** Returns whether a text asks for a person, in whichever language the visitor writes. */
export function wishesForPerson(text: string): boolean {
  return text.split(/(?<=[.!?])\s+/).some(isWish);
}

function isWish(sentence: string): boolean {
  // A wish inside a longer question, such as a quoted example, is no wish.
  if (/\?.{20}/s.test(sentence)) return false;
  return Object.values(WISHES).some((wishes) => wishes.some((pattern) => isMeant(pattern.exec(sentence))));
}

function isMeant(found: RegExpExecArray | null): boolean {
  if (found === null) return false;
  const before = found.input.slice(0, found.index);
  return !NO_WISH.some((pattern) => pattern.test(before)) && !NO_WISH_BEHIND.test(found.input.slice(found.index + found[0].length));
}

function wish(texts: TemplateStringsArray, ...parts: readonly RegExp[]): RegExp {
  return new RegExp(String.raw(texts, ...parts.map(({ source }) => source)), 'i');
}

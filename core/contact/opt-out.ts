import type { Template } from '../template/types.ts';
import { toE164 } from './phone.ts';

/**
 * What a person's text asks for besides an answer: no more texts, or texts again. The only place that recognizes it; a language model may add an opt-out and
 * never takes one back. Words: 47 CFR 64.1200(a)(10), in force since April 2025, and the keywords of Twilio. Rules: docs/behaviour/agents.md.
 */

/** `yes` asks for texts again only when its sender had opted out; `help` is answered by the phone provider. */
export type TextKeyword = 'opt_out' | 'opt_in' | 'yes' | 'help';

/** Longer texts say more than one of these wishes; a language model reads them. */
const LENGTH_MAX = 160;

const listOf = (text: string): string[] => text.trim().split(/,\s*/);

/** Said around a wish without changing it. */
const POLITENESS = listOf(`
  please, pls, plz, kindly, thank you very much, thank you so much, thank you, thanks, thx, ty, sorry, just, hi, hello, hey, ok, okay,
  sir, madam, bitte, vielen dank, danke schon, danke, hallo, guten tag, mit freundlichen grussen, mfg, por favor, muchas gracias, gracias, hola,
  buenos dias, sil vous plait, sil te plait, svp, stp, merci, bonjour`);
/** Said with a wish to hurry it. */
const URGENCY = listOf(`yes, now, immediately, asap, right away, jetzt, sofort, ja, ahora, ya, si, maintenant, oui`);
/** Opt-outs that mostly mean another word ("for", "high"): with a word of urgency they are an answer, such as "para ya" ("for right now"). */
const AMBIGUOUS = /(?<=^| )(?:para|alto)(?= |$)/;

/** Wishes that are said in many ways, folded: one of each bracket, or none where one is empty. */
const WISHES = [
  '(dont|do not|never) (|ever) (text|txt|message|msg|contact|write|write to|text or call|call or text) (me|us) (|again|ever again|anymore|any more|any longer)',
  '(dont|do not|never) (text|message|contact|write) (me|us) (at|on) this (number|phone) (|again|anymore|any more)',
  '(dont|do not|never) (|ever) call (me|us) (again|ever again|anymore|any more)',
  '(|can you|could you|will you|would you) (stop|quit) (texting|messaging|contacting|writing|writing to|spamming|calling) (me|us)',
  'i (dont|do not|no longer) (want|wish) to be (texted|messaged|contacted) (|again|ever again|anymore|any more)',
  'unsubscribe (|me) from (this|your|the|these|all) (list|texts|messages|text messages)',
  '(dont|do not|never) (|ever) send (|me|us) (|any|any more|more) (texts|messages|text messages|sms) (|again|ever again|anymore|any more)',
  '(dont|do not|never) (|ever) send (|any|any more|more) (texts|messages|text messages|sms) to (this|my) number (|again|ever again|anymore|any more)',
  '(stop|stop sending) (texts|messages|text messages|sms) to (this|my) number',
  'i (dont|do not|no longer) want (|to get|to receive) (|any|any more|more|these|your) (texts|messages|text messages|sms) (|anymore)',
  '(stop|quit) (bothering|harassing) me',
  '(dont|do not) bother me',
  '(remove|delete|take) my (number|phone number) (from|off) (your|this|the) list',
  'remove my phone number',
  '(stop|quit) (texting|messaging|contacting) this (number|phone)',
  '(dont|do not|never) (|ever) (text|message|contact) this (number|phone) (|again|ever again|anymore|any more)',
  '(remove|delete) this (number|phone number) (|from your list|from this list|from the list)',
  'no more (texts|messages|text messages|sms) to (this|my) (number|phone)',

  '(stoppen|stoppt|aufhoren|aufhoeren|hort auf|hoert auf)',
  '(sms|nachrichten) (stoppen|einstellen|abmelden|abbestellen)',
  '(|ich mochte|ich moechte|ich will) keine (|weiteren) (sms|nachrichten|textnachrichten) (|mehr) (|senden|schicken|schreiben|zusenden)',
  '(ich mochte|ich moechte|ich will) keine (|weiteren) (sms|nachrichten|textnachrichten) (|mehr) (erhalten|bekommen)',
  '(schicken sie|senden sie|schreiben sie|schick|schicke|schickt|sende|sendet|schreib|schreibe|schreibt) (|mir|uns) keine (|weiteren) (sms|nachrichten|textnachrichten) (|mehr)',
  '(schreiben sie|schreib|schreibe|schreibt) (mir|uns) (nicht|nicht mehr|nichts mehr|nie mehr|nie wieder|niemals wieder|nicht wieder)',
  '(kontaktieren sie|kontaktiere|kontaktiert) (mich|uns) (nicht|nicht mehr|nie mehr|nie wieder|niemals wieder|nicht wieder)',
  '(belastigen sie|belastige|belastigt|belaestigen sie|belaestige|belaestigt) (mich|uns) (nicht|nicht mehr|nie mehr|nie wieder|nicht weiter|nicht langer|nicht laenger)',
  '(schreiben sie|schreib|schreibe|schreibt) (mich|uns) (nicht|nicht mehr|nie mehr|nie wieder|niemals wieder|nicht wieder) an',
  '(rufen sie|ruf|rufe|ruft) (mich|uns) (nicht mehr|nie mehr|nie wieder|niemals wieder) an',
  '(schicken sie|senden sie|schick|schicke|schickt|sende|sendet) (mir|uns) (nicht mehr|nichts mehr|nie mehr|nie wieder) (|etwas|sms|nachrichten|eine sms|eine nachricht)',
  '(|mich|uns) (nicht mehr|nie mehr|nie wieder) (anschreiben|kontaktieren|belastigen|belaestigen)',
  '(|mir|uns) (nicht mehr|nie mehr|nie wieder) schreiben',
  'ich (mochte|moechte|will) (nicht|nicht mehr|nie mehr|nie wieder) (angeschrieben|kontaktiert|belastigt|belaestigt) werden',
  '(|ich mochte|ich moechte|ich will|ich wunsche|ich wuensche) keinen (kontakt mehr|weiteren kontakt)',
  '(schreiben sie|schreib|schreibe|schreibt) (|mir|uns) (nicht|nicht mehr|nie mehr|nie wieder) an (diese|meine) (nummer|telefonnummer|handynummer)',
  '(lassen sie|lass|lasst) mich in ruhe',
  '(loschen|loeschen|entfernen|streichen) sie meine (nummer|telefonnummer|handynummer)',
  'meine (nummer|telefonnummer|handynummer) (loschen|loeschen|entfernen|streichen)',
  '(nehmen|streichen|loschen|loeschen|entfernen) sie mich (von|aus) (der|dieser|ihrer) liste',
  '(|mich) (von|aus) (der|dieser|ihrer) liste (nehmen|streichen|loschen|loeschen|entfernen)',
  '(nehmen|streichen|loschen|loeschen|entfernen) sie mich aus (dem|ihrem) verteiler',
  '(|mich) aus (dem|ihrem) verteiler (nehmen|streichen|loschen|loeschen|entfernen)',
  '(horen sie|hoeren sie|hor|hoer|hort|hoert) auf mir (|sms|nachrichten) zu (schreiben|schicken|senden)',
  '(loschen|loeschen|entfernen|streichen) sie (mich|diese nummer)',
  'keine (|weiteren) (sms|nachrichten) (|mehr) an (diese|meine) (nummer|telefonnummer|handynummer)',
  'keine werbung (|mehr)',
  'ich widerrufe (|meine einwilligung)',
  'schluss damit',

  'no (quiero|deseo|quisiera) (|recibir) (|mas) (sms|mensajes|mensajes de texto|textos)',
  'no (quiero|deseo) que (me|nos) (escriba|escriban|escribas|contacte|contacten|contactes|moleste|molesten|molestes) (|mas|nunca mas)',
  'no (me|nos) (mande|manden|mandes|mandeis|envie|envien|envies|envieis) (|mas) (sms|mensajes|mensajes de texto|textos) (|nunca mas)',
  'no (me|nos) (mande|manden|mandes|mandeis|envie|envien|envies|envieis) (mas|nada|nada mas)',
  'no (me|nos) (escriba|escriban|escribas|escribais|contacte|contacten|contactes|contacteis|moleste|molesten|molestes|molesteis) (|mas|nunca|nunca mas|otra vez|de nuevo)',
  'no (me|nos) (vuelva|vuelvan|vuelvas|volvais) a (escribir|contactar|molestar|llamar) (|mas|nunca|nunca mas)',
  'no (me|nos) (vuelva|vuelvan|vuelvas|volvais) a (mandar|enviar) (|mas) (sms|mensajes|mensajes de texto|textos|nada)',
  'no (vuelva|vuelvan|vuelvas|volvais) a (escribirme|contactarme|molestarme|llamarme) (|mas|nunca|nunca mas)',
  'no (vuelva|vuelvan|vuelvas|volvais) a (mandarme|enviarme) (|mas) (sms|mensajes|mensajes de texto|textos|nada)',
  '(borre|borren|borra|elimine|eliminen|elimina|quite|quiten|quita) este (numero|telefono)',
  'nunca (|mas) (me|nos) (escriba|escriban|escribas|contacte|contacten|contactes)',
  'nunca (|mas) (me|nos) (vuelva|vuelvan|vuelvas) a (escribir|contactar)',
  '(deje|dejen|deja|dejad|pare|paren|para) de (escribirme|contactarme|molestarme|llamarme)',
  '(deje|dejen|deja|dejad|pare|paren|para) de (enviarme|mandarme|enviar|mandar) (|mas) (sms|mensajes|mensajes de texto|textos)',
  '(dejeme|dejenme|dejame) en paz',
  '(borre|borren|borra|elimine|eliminen|elimina|quite|quiten|quita) mi (numero|telefono) (|de la lista|de su lista|de esta lista)',
  '(quiteme|quitenme|quitame|saqueme|saquenme|sacame|bajeme|bajenme|borreme|borrenme|elimineme|eliminenme) de (la|su|esta) lista',
  '(borreme|borrenme|elimineme|eliminenme|quiteme|quitenme)',
  '(eliminar|borrar|quitar) mi (numero|telefono) (|de la lista|de su lista|de esta lista)',
  'no (escriba|escriban|escribas|envie|envien|envies|mande|manden|mandes) mas (|sms|mensajes|textos)',
  'no (escriba|escriban|escribas|envie|envien|envies|mande|manden|mandes) (|mas) (|sms|mensajes|textos) a este (numero|telefono)',
  '(deje|dejen|deja|pare|paren|para) de (molestar|escribir)',
  '(me quiero dar|deseo darme|quisiera darme) de baja',

  'ne (menvoyez|menvoie) plus de (sms|messages|textos)',
  'ne (mecrivez|mecris|me contactez|me contacte) (plus|plus jamais|jamais plus)',
  '(arretez|arrete) de (mecrire|me contacter|menvoyer des sms|menvoyer des messages|menvoyer des textos)',
  'je ne (veux|souhaite) plus (|recevoir) (de|vos) (sms|messages|textos)',
  '(retirez|supprimez|enlevez) moi de (la|votre|cette) liste',
  '(retirez|supprimez|effacez) mon numero',
  '(laissez|laisse) moi tranquille',
  '(desabonnez|desinscrivez) moi',
  'je (veux|souhaite|voudrais) me (desabonner|desinscrire)',
];

/** "(a|b) c" is "a c" and "b c"; an empty choice is left out. */
function spellings(wish: string): string[] {
  const parts = wish.split(/[()]/).map((part, at) => (at % 2 === 1 ? part.split('|') : [part]));
  const all = parts.reduce((begun, choice) => begun.flatMap((start) => choice.map((one) => start + one)), ['']);
  return all.map((said) => said.replace(/ +/g, ' ').trim());
}

/**
 * Whole texts, folded (see `fold`), that ask for no more texts, in English, German, Spanish and French. Umlauts are folded to their base letter, so that their
 * spelling with e is listed.
 */
const OPT_OUTS = new Set(
  listOf(`
  stop, stop all, stopall, stop it, stop this, stop that, end, quit, revoke, cancel, unsubscribe, unsubscribe me, unsub, unsubcribe, unsuscribe, unsubscribed,
  unsubscribe all, unsubscribe from all, cancel all, end all, revoke all, revoke consent, i revoke my consent, revoke my consent, opt out, optout, opt me out,
  opting out, opt out all, opt out of all, i opt out, i want to opt out, i would like to opt out, id like to opt out, i want to unsubscribe,
  i would like to unsubscribe, i want to stop, stop text, stop texts, stop texting, stop messaging, stop messages, stop sms, stop sending, stop sending texts,
  stop sending messages, stop sending me texts, stop sending me messages, stop sending me text messages, stop sending these texts,
  stop sending these messages, stop sending me these texts, stop the texts, stop these texts, stop the messages, stop these messages, stop all texts,
  stop all messages, can you stop, could you stop, will you stop, no more, no more texts, no more messages, no more sms, no more text messages, dont text,
  do not text, remove me, remove my number, remove me from your list, remove me from this list, remove me from the list, remove my number from your list,
  take me off your list, take me off this list, take me off the list, delete my number, leave me alone,
  halt, abmelden, abmeldung, mich abmelden, melden sie mich ab, ich mochte mich abmelden, ich moechte mich abmelden, ich will mich abmelden, abbestellen,
  sms abbestellen, austragen, ende, beenden, keine sms, keine sms mehr, keine weiteren sms, keine nachrichten, keine nachrichten mehr,
  keine weiteren nachrichten, ich mochte keine sms mehr, ich moechte keine sms mehr, ich will keine sms mehr, ich mochte keine nachrichten mehr,
  ich moechte keine nachrichten mehr, ich will keine nachrichten mehr, hor auf, hoer auf, horen sie auf, hoeren sie auf, widerruf,
  baja, alto, parar, pare, paren, para, detener, cancelar, salir, basta, baja sms, dar de baja, darme de baja, dame de baja, deme de baja, denme de baja,
  quiero darme de baja, quiero la baja, cancelar suscripcion, anular suscripcion, desuscribir, desuscribirme, no mas, no mas mensajes, no mas sms,
  no mas textos,
  arret, arreter, arretez, arrete, arreter les sms, stop sms, desabonner, me desabonner, desabonnement, desinscrire, me desinscrire, desinscription,
  plus de sms, plus de messages, annuler`).concat(WISHES.flatMap(spellings)),
);
const OPT_INS = new Set(['start', 'unstop']);

/** Letters and digits only, lower case, without accents and apostrophes; spelled-out words are closed up. */
function fold(text: string): string {
  const folded = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[\p{M}\p{Cf}'’‘`´]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  const closed = /^\p{L}(?: \p{L})+$/u.test(folded) ? folded.replaceAll(' ', '') : folded;
  // "STOPP", "stoooop"
  return closed.replace(/\bst+o+p+\b/g, 'stop').replace(/\bst+o+p+all\b/g, 'stopall');
}

const anyOf = (words: readonly string[]): RegExp =>
  new RegExp(`(?<= )(?:${words.toSorted((one, other) => other.length - one.length).join('|')})(?= )`, 'g');
const POLITE = anyOf(POLITENESS);
const AROUND = anyOf([...POLITENESS, ...URGENCY]);

function withoutPoliteness(folded: string, around: RegExp): string {
  const words = ` ${folded} `.replace(around, ' ').split(' ').filter(Boolean);
  // "STOP STOP STOP"
  return words.filter((word, at) => word !== words[at - 1]).join(' ');
}

const AND = new Set(['and', 'und', 'y', 'et']);
const WISH_WORDS_MAX = Math.max(...Array.from(OPT_OUTS, (wish) => wish.split(' ').length));

/** "stop and do not text me again": whether a folded text is one wish, or several of them in a row. "para cancelar" is one of what to do. */
function isWishes(said: string): boolean {
  if (OPT_OUTS.has(said)) return true;
  const words = said.split(' ');
  const ends = new Set([0]);
  for (const [at, word] of words.entries()) {
    if (!ends.has(at)) continue;
    if (at > 0 && AND.has(word) && at + 1 < words.length) ends.add(at + 1);
    for (let to = at + 1; to <= Math.min(words.length, at + WISH_WORDS_MAX); to += 1) {
      const wish = words.slice(at, to).join(' ');
      if (OPT_OUTS.has(wish) && !AMBIGUOUS.test(wish)) ends.add(to);
    }
  }
  return ends.has(words.length);
}

/** "Stop! Do not text me again": whether each sentence and clause says nothing else than that, too. */
function hasOptOutsOnly(text: string, around: RegExp): boolean {
  const parts = text.split(/[.!?¡¿;:,\n]+|\s[-–—]+\s/).map((part) => withoutPoliteness(fold(part), around));
  const said = parts.filter((part) => part !== '');
  return said.length > 0 && said.every(isWishes);
}

/** Returns what a whole text asks for, or null: a text that says anything else besides is for the agent. */
export function keywordOfText(text: string): TextKeyword | null {
  if (text.length > LENGTH_MAX) return null;
  const folded = fold(text);
  if (folded === 'yes') return 'yes';
  const around = AMBIGUOUS.test(folded) ? POLITE : AROUND;
  const said = withoutPoliteness(folded, around);
  if (OPT_OUTS.has(folded) || isWishes(said) || hasOptOutsOnly(text, around)) return 'opt_out';
  return OPT_INS.has(said) ? 'opt_in' : null;
}

/** Who asks, by E.164 number, and how it was recognized: `provider` said so in its own field, else the text did. */
export type AskedByText = { keyword: TextKeyword; contact: string; foundBy: 'word' | 'provider' };

const SENDER_KEYS = ['From', 'from', 'msisdn'];
const TEXT_KEYS = ['Body', 'body', 'text', 'Text', 'message', 'Message', 'content'];

/**
 * Returns what the text asks for that an event carries, for any agent that it arrives at, or null. An event carries a text when it names a sender's phone number
 * as phone providers do. `OptOutType`: the field in which Twilio says which keyword it has answered.
 * `countries`: of the client, its own first, for numbers without a country code.
 */
export function askedByText(
  template: Pick<Template, 'inputs'> | undefined,
  input: { readonly [key: string]: unknown },
  countries: readonly string[] = [],
): AskedByText | null {
  const provider = PROVIDER_KEYWORDS[String(input['OptOutType'] ?? input['optOutType'] ?? '').toUpperCase()];
  const said = readKeys(template, input, TEXT_KEYS).flatMap((text) => keywordOfText(text) ?? [])[0];
  if (provider === undefined && said === undefined) return null;
  const contact = readKeys(template, input, SENDER_KEYS).flatMap((number) => toE164(number, countries) ?? [])[0];
  if (contact === undefined) return null;
  if (provider === undefined || (said === 'opt_out' && provider !== 'opt_out'))
    return said === undefined ? null : { keyword: said, contact, foundBy: 'word' };
  return { keyword: provider, contact, foundBy: 'provider' };
}

const PROVIDER_KEYWORDS: { readonly [value: string]: TextKeyword | undefined } = { STOP: 'opt_out', START: 'opt_in', HELP: 'help' };

/** Texts under these names, or under the input of the template that a form's field of one of these names becomes. */
function readKeys(
  template: Pick<Template, 'inputs'> | undefined,
  input: { readonly [key: string]: unknown },
  names: readonly string[],
): string[] {
  const mapped = (template?.inputs ?? []).filter(({ aliases }) => aliases.some((alias) => names.includes(alias)));
  return [...names, ...mapped.map(({ key }) => key)].flatMap((key) => {
    const value = input[key];
    return typeof value === 'string' ? [value] : [];
  });
}

/** How a run ends that began with a keyword: it costs nothing, and nothing is answered, since the phone provider confirms its own keywords. */
export const KEYWORD_ENDS = {
  opt_out: { reason: 'opted_out', message: 'They asked not to get texts any more' },
  opt_in: { reason: 'opted_in', message: 'They asked to get texts again' },
  help: { reason: 'answered_by_provider', message: 'The phone provider has answered this text' },
} as const;

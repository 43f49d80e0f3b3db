import type { bot as source } from '../en/bot.ts';

export const bot: Readonly<Record<keyof typeof source, string>> = {
  'bot.name': 'Assistent',
  'bot.greeting': 'Guten Tag! Wie kann {business} Ihnen helfen?',
  'bot.person': 'Ich habe das an einen Menschen weitergegeben, der Ihnen hier antwortet.',
  'bot.unsure': 'Das weiß ich nicht.',
  'bot.unable': 'Ich kann gerade nicht antworten.',
  'bot.failure': 'Es tut mir leid, ich kann gerade nicht antworten.',
  'bot.unknown': 'Es tut mir leid, das weiß ich nicht.',
  'bot.too-many-runs':
    'Das habe ich schon mehrmals erledigt. Bitte versuchen Sie es später noch einmal, oder fragen Sie nach einem Menschen.',
  'bot.other-number':
    'In diesem Chat kann ich nur an die zuerst genannte Nummer schreiben. War sie falsch, fragen Sie mich nach einer Person.',
  'bot.foreign-link': 'Ich kann nur Links zu unseren eigenen Seiten senden.',
  'bot.ask': 'Gern. Dafür brauche ich noch: {missing}.',
  'bot.run-done': 'Das ist erledigt.',
  'bot.run-failed': 'Es tut mir leid, das hat nicht geklappt.',
  'bot.run-refused': 'Es tut mir leid, das kann ich gerade nicht erledigen.',
  'bot.run-unknown': 'Ich weiß nicht, ob das geklappt hat.',
};

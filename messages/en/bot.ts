/** Texts of a chatbot when no model writes them: short, and without a promise that is not kept. */
export const bot = {
  'bot.name': 'Assistant',
  'bot.greeting': 'Hello! How can {business} help you?',
  'bot.person': 'I have passed this on to a person, who will reply to you here.',
  'bot.unsure': 'I do not know that.',
  'bot.unable': 'I cannot answer right now.',
  'bot.failure': 'I am sorry, I cannot answer right now.',
  'bot.unknown': 'I am sorry, I do not know that.',
  'bot.too-many-runs': 'I have done this several times already. Please try again later, or ask me for a person.',
  'bot.other-number': 'In this chat I can text only the number that you gave first. If it was wrong, ask me for a person.',
  'bot.foreign-link': 'I can only send links to our own pages.',
  'bot.ask': 'Gladly. For that I still need: {missing}.',
  'bot.run-done': 'That is done.',
  'bot.run-failed': 'I am sorry, that did not work.',
  'bot.run-refused': 'I am sorry, I cannot do that right now.',
  'bot.run-unknown': 'I do not know whether that worked.',
} as const;

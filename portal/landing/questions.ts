/** Questions of people who consider the product, and their answers. */
export const QUESTIONS: readonly (readonly [question: string, answer: string, about?: 'trial'])[] = [
  [
    'Do my clients see your name?',
    'No. Their portal, the mail they get and their reports have your logo, your colours and your name. With some plans the portal is on your own domain.',
  ],
  [
    'Which accounts do the agents use?',
    'Yours or your client’s: Twilio for texts, Resend for mail, Cal.com for bookings, OpenAI or Anthropic for language models, Postgres for reports. Keys are encrypted when you save them and never shown again. Some plans include language models.',
  ],
  [
    'What is a credit?',
    'A run of an agent costs one to three credits; the catalogue says how many. Your plan includes a number of them each month, and you can order more.',
  ],
  [
    'What happens when an agent fails?',
    'The run names the cause in plain words, the fix, and what the provider said. Fix it once and run all that failed for the same reason again. Alerts reach you by e-mail.',
  ],
  [
    'Does a trial begin at once?',
    'No. We review trials like every application, usually within one working day. You then get an invitation by e-mail, and the days of your trial begin with our approval. A trial is free and ends by itself.',
    'trial',
  ],
  [
    'How do I pay, and can I change my plan?',
    'By invoice, once a month. Your plan, your seats and your credits are in the portal, where you can order more and ask for another plan at any time.',
  ],
  [
    'Can I take my data with me?',
    'Yes. Admins export everything of the account as files. There is also a REST API, which every page of the portal uses, and signed webhooks for each event.',
  ],
];

/** The agents of the catalogue as the landing page names them: `name` and `icon` are those of their templates (tests/landing-agents.test.ts). */
export const AGENTS = [
  {
    group: 'Calls and visits',
    agents: [
      { name: 'Missed-call text-back', icon: 'phone-missed', does: 'Texts a missed caller within a minute and offers the booking link.' },
      { name: 'Appointment reminder', icon: 'calendar-clock', does: 'Reminds people by text and mail before their visit.' },
      { name: 'No-show rebooking', icon: 'calendar-sync', does: 'Offers the next free slots after a missed appointment.' },
    ],
  },
  {
    group: 'Leads and quotes',
    agents: [
      { name: 'Lead follow-up mail', icon: 'mail-plus', does: 'Answers each new web lead by e-mail, in its own words.' },
      { name: 'Lead intake cleaner', icon: 'sparkles', does: 'Checks and tidies every lead before other agents use it.' },
      { name: 'Lead qualifier', icon: 'flame', does: 'Scores leads and alerts the owner about the hot ones.' },
      { name: 'Quote follow-up', icon: 'file-clock', does: 'Asks about open quotes and stops when they are answered.' },
    ],
  },
  {
    group: 'Answers and reviews',
    agents: [
      { name: 'AI mail triage', icon: 'mailbox', does: 'Sorts mail, drafts replies and marks what is urgent.' },
      {
        name: 'AI answers to texts',
        icon: 'message-circle-question-mark',
        does: 'Answers texts from the business’s own FAQ, or hands over.',
      },
      { name: 'Review request', icon: 'star', does: 'Asks happy customers for a review; unhappy ones reach the owner.' },
    ],
  },
  {
    group: 'Reports',
    agents: [
      { name: 'Daily report', icon: 'table-2', does: 'Sends yesterday’s numbers to the owner each morning.' },
      { name: 'Weekly insight digest', icon: 'chart-line', does: 'Explains the week’s numbers in five sentences.' },
    ],
  },
] as const;

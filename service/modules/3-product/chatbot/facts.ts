import { defineFact } from '#platform/facts.ts';

/** The budgets of an agency's chatbots were changed: an alert about one of them may end. */
export const chatBudgetsChanged = defineFact<{ partnerId: string }>('chat_budgets.changed');

import { createFileRoute } from '@tanstack/react-router';
import { loadMessages } from '../app/messages.ts';
import { choiceParam, onlySet, tokenParam } from '../app/search-params.ts';
import { getSession } from '../app/session.ts';
import { MAIL_LISTS } from '../features/public/mail-lists.ts';
import { UnsubscribePage } from '../features/public/unsubscribe-page.tsx';

/** Refusals of the link that are none of its fault. */
const LATER = ['rate_limited', 'service_unavailable', 'took_too_long', 'internal_error'] as const;

/** Open to anyone, in the language of the session or of the browser. */
export const Route = createFileRoute('/unsubscribe')({
  validateSearch: (search: Record<string, unknown>) =>
    onlySet({ list: choiceParam(MAIL_LISTS, search.list), token: tokenParam(search.token), problem: choiceParam(LATER, search.problem) }),
  loader: () => loadMessages(getSession()?.user.locale ?? navigator.language, 'UTC'),
  component: Unsubscribe,
});

function Unsubscribe() {
  const { list, token = '', problem } = Route.useSearch();
  return <UnsubscribePage list={list} token={token} isLater={problem !== undefined} />;
}

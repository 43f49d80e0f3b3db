import { createFileRoute } from '@tanstack/react-router';
import { loadMessages } from '../app/messages.ts';
import { oneOf, searchParser, tokenParam } from '../app/search-params.ts';
import { getSession } from '../app/session.ts';
import { MAIL_LISTS } from '../features/public/mail-lists.ts';
import { UnsubscribePage } from '../features/public/unsubscribe-page.tsx';

/** Refusals of the link that are none of its fault. */
const LATER = ['rate_limited', 'service_unavailable', 'took_too_long', 'internal_error'] as const;

/** Open to anyone, in the language of the session or of the browser. */
const parseSearch = searchParser({ list: oneOf(MAIL_LISTS), token: tokenParam, problem: oneOf(LATER) });

export const Route = createFileRoute('/unsubscribe')({
  validateSearch: parseSearch,
  loader: () => loadMessages(getSession()?.user.locale ?? navigator.language, 'UTC'),
  component: Unsubscribe,
});

function Unsubscribe() {
  const { list, token = '', problem } = Route.useSearch();
  return <UnsubscribePage list={list} token={token} isLater={problem !== undefined} />;
}

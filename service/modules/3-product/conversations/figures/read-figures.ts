import { figureRange, startsBookings } from '@partner-portal/core/conversation/figures.ts';
import type { Actor } from '#platform/actor.ts';
import { refuse } from '#platform/refuse.ts';
import type { ConversationsDeps } from '../deps.ts';
import { inInbox } from '../inbox/list-conversations.ts';
import { findClientRef } from '#modules/2-tenancy/clients/index.ts';
import { type FigureRow, type FigureScope, listFigures, readToday } from './store.ts';

/** Conversations by day in the time zone of the client, or of the agency without one: the last thirty days unless named. Staff name a client. */
export function readFigures(
  deps: Pick<ConversationsDeps, 'db' | 'templates'>,
  actor: Actor,
  query: { clientId?: string | undefined; from?: string | undefined; to?: string | undefined },
) {
  return inInbox(deps, actor, query.clientId, async (tx, { partnerId, clientId }) => {
    const owner = partnerId ?? (clientId === undefined ? undefined : (await findClientRef(tx, clientId))?.partnerId);
    if (owner === undefined) return clientId === undefined ? refuseQuery('clientId', 'Name a client.') : refuse('not_found');
    const scope: FigureScope = { partnerId: owner, clientId };
    const today = await readToday(tx, scope);
    if (today === undefined) return refuse('not_found');
    const range = figureRange(query, today);
    if ('problem' in range) return refuseQuery(range.field, range.problem);
    const days = await listFigures(
      tx,
      scope,
      range,
      deps.templates.filter(startsBookings).map(({ name }) => name),
    );
    return { ...range, totals: totalsOf(days), days };
  });
}

function totalsOf(days: readonly FigureRow[]) {
  const total = (of: (row: FigureRow) => number): number => days.reduce((sum, row) => sum + of(row), 0);
  return {
    conversations: total((row) => row.conversations),
    answeredAlone: total((row) => row.answeredAlone),
    handedOff: total((row) => row.handedOff),
    runs: total((row) => row.runs),
    bookings: total((row) => row.bookings),
  };
}

function refuseQuery(field: string, message: string): never {
  return refuse('invalid_query', { detail: `The query parameter "${field}" was not accepted: ${message}` });
}

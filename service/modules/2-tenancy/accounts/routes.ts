import { defineHandlers } from '#platform/http/context.ts';
import { CSV_PAGE, csvOfList } from '#platform/http/csv-list.ts';
import { cancelDeletion } from './deletion/cancel-deletion.ts';
import { approveDeletion, rejectDeletion } from './deletion/decide-deletion.ts';
import { previewDeletion } from './deletion/preview-deletion.ts';
import { DELETION_COLUMNS, readDeletionRequest, readDeletionRequests } from './deletion/read-deletions.ts';
import { requestDeletion } from './deletion/request-deletion.ts';
import type { AccountsDeps } from './deps.ts';
import { approveReactivation, rejectReactivation } from './reactivation/decide-reactivation.ts';
import { REACTIVATION_COLUMNS, readReactivationRequests } from './reactivation/read-reactivations.ts';
import { requestReactivation } from './reactivation/request-reactivation.ts';
import { answerReactivations } from './reactivation/settle-reactivations.ts';

export function accountHandlers(deps: AccountsDeps) {
  return defineHandlers({
    requestDeletion: ({ body }, context) => requestDeletion(deps, context, body),
    listDeletionRequests: ({ query }, { actor }) => readDeletionRequests(deps, actor, query),
    exportDeletionRequests: ({ query }, { actor, now }) =>
      csvOfList({ name: 'deletion-requests', now }, DELETION_COLUMNS, (cursor) =>
        readDeletionRequests(deps, actor, { ...query, limit: CSV_PAGE, cursor }),
      ),
    previewDeletion: ({ query }, context) => previewDeletion(deps, context, query),
    getDeletionRequest: ({ params }, { actor }) => readDeletionRequest(deps, actor, params.id),
    approveDeletion: ({ params, body }, context) =>
      approveDeletion(deps, context, { id: params.id, note: body.note || null, answerReactivations }),
    rejectDeletion: ({ params, body }, context) => rejectDeletion(deps, context, params.id, body.note),
    cancelDeletion: ({ params }, context) => cancelDeletion(deps, context, params.id),
    requestReactivation: ({ body }, context) => requestReactivation(deps, context, body),
    listReactivationRequests: ({ query }, { actor }) => readReactivationRequests(deps, actor, query),
    exportReactivationRequests: ({ query }, { actor, now }) =>
      csvOfList({ name: 'reactivation-requests', now }, REACTIVATION_COLUMNS, (cursor) =>
        readReactivationRequests(deps, actor, { ...query, limit: CSV_PAGE, cursor }),
      ),
    approveReactivation: ({ params, body }, context) => approveReactivation(deps, context, params.id, body.note || null),
    rejectReactivation: ({ params, body }, context) => rejectReactivation(deps, context, params.id, body.note),
  });
}

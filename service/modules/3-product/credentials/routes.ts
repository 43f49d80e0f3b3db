import type { Origin } from '#modules/1-ledger/audit/index.ts';
import { defineHandlers, type RequestContext } from '#platform/http/context.ts';
import { deleteCredential } from './vault/delete-credential.ts';
import type { CredentialsDeps } from './deps.ts';
import { listCredentials } from './list-credentials.ts';
import { countRequirements, getClientReadiness, listRequirements } from './requirements/list-requirements.ts';
import { queryForExecution } from './query/query-for-execution.ts';
import { saveCredential } from './vault/save-credential.ts';
import { testCredential } from './vault/test-credential.ts';

export function credentialHandlers(deps: CredentialsDeps) {
  return defineHandlers({
    putCredential: ({ params, body }, context) =>
      saveCredential(deps, context, { ...params, ...body, ifMatch: context.header('if-match') }, originOf(context)),
    listCredentials: ({ query }, { actor }) => listCredentials(deps, actor, query),
    deleteCredential: async ({ params, query }, context) => {
      await deleteCredential(deps, context.actor, { ...params, ...query }, originOf(context));
      return undefined;
    },
    testCredential: ({ params, query }, context) => testCredential(deps, context.actor, { ...params, ...query }, originOf(context)),
    listRequirements: ({ query }, { actor }) => listRequirements(deps, actor, query),
    countRequirements: ({ query }, { actor }) => countRequirements(deps, actor, query),
    getClientReadiness: ({ params }, { actor }) => getClientReadiness(deps, actor, params.id),
    queryForExecution: ({ params, body }, { header }) => queryForExecution(deps, header('x-callback-token'), { ...params, ...body }),
  });
}

function originOf({ address, userAgent, requestId }: RequestContext): Origin {
  return { ip: address, userAgent, requestId };
}

import { defineCron } from '#platform/jobs/define-job.ts';
import { recheckDomains } from './check-domain.ts';
import type { DomainsDeps } from './deps.ts';
import { domainHandlers } from './routes.ts';

export { createServedHosts, type ServedHosts } from './served-hosts.ts';

/** Own domains of agencies for their client portals. */
export function domains(deps: DomainsDeps) {
  return {
    routes: domainHandlers(deps),
    crons: [defineCron('domains.recheck', '*/10 * * * *', (context) => recheckDomains(deps, context))],
    recheck: () => recheckDomains(deps, { signal: new AbortController().signal }),
  };
}

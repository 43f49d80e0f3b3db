import { createOidc } from '#adapters/oidc.ts';
import { createSaml } from '#adapters/saml.ts';
import type { Log } from '#platform/log.ts';
import { auditLog } from '#modules/1-ledger/audit/index.ts';
import { accounts } from '#modules/2-tenancy/accounts/index.ts';
import { billing } from '#modules/2-tenancy/billing/index.ts';
import { clients } from '#modules/2-tenancy/clients/index.ts';
import { createDataKeys } from '#modules/1-ledger/data-keys/index.ts';
import { firstAnswers } from '#modules/1-ledger/first-answers/index.ts';
import { domains, type ServedHosts } from '#modules/2-tenancy/domains/index.ts';
import { files } from '#modules/1-ledger/files/index.ts';
import { identity, readerTag } from '#modules/2-tenancy/identity/index.ts';
import { install } from '#modules/2-tenancy/install/index.ts';
import { invitations } from '#modules/2-tenancy/invitations/index.ts';
import { nameReviews } from '#modules/2-tenancy/name-reviews/index.ts';
import { newsletter } from '#modules/2-tenancy/newsletter/index.ts';
import { mail } from '#modules/1-ledger/mail/index.ts';
import { media } from '#modules/2-tenancy/media/index.ts';
import { metering } from '#modules/1-ledger/metering/index.ts';
import { partners } from '#modules/2-tenancy/partners/index.ts';
import { planRequests } from '#modules/2-tenancy/plan-requests/index.ts';
import { plans } from '#modules/2-tenancy/plans/index.ts';
import { savedFilters } from '#modules/2-tenancy/saved-filters/index.ts';
import { sso, ssoRequirement } from '#modules/2-tenancy/sso/index.ts';
import { team } from '#modules/2-tenancy/team/index.ts';
import { users } from '#modules/2-tenancy/users/index.ts';
import type { Config } from '../config.ts';
import type { Clock } from '#platform/clock.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import type { RateLimits } from '#platform/http/rate-limit.ts';
import type { Sessions } from '#platform/http/session.ts';
import type { Notices } from '#platform/notify.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Tracer } from '#platform/tracing/tracer.ts';
import type { LimitName } from './rate-limits.ts';
import type { ThirdParties } from './third-parties.ts';

/** Dependencies of every module. */
export type PlatformDeps = {
  config: Config;
  log: Log;
  clock: Clock;
  db: Database;
  notices: Notices;
  cursors: Cursors;
  limits: RateLimits<LimitName>;
  sessions: Sessions;
  parties: ThirdParties;
  /** Hosts of agencies, which the server asks for too. */
  servedHosts: ServedHosts;
  /** Undefined: no traces. */
  tracer?: Tracer | undefined;
};

/** Creates the modules of layers 1 and 2: ledger and tenancy. */
export function createTenancy({ config, log, clock, db, cursors, limits, sessions, parties, servedHosts }: PlatformDeps) {
  const { outbound, compute, mailer, allowsHttp } = parties;
  const { publicBaseUrl } = config.http;
  const dataKeys = createDataKeys(config.vault.ring);
  const filesModule = files({ db, clock });
  const mailModule = mail({
    db,
    cursors,
    clock,
    log,
    limits,
    dataKeys,
    files: filesModule.store,
    baseUrl: publicBaseUrl,
    mailer,
  });
  const identityModule = identity({
    db,
    sessions,
    limits,
    dataKeys,
    queueMail: mailModule.queueMail,
    baseUrl: publicBaseUrl,
    sandbox: config.providers.sandbox,
    staffMfaRequired: config.session.staffMfaRequired,
    ssoRequirement: ssoRequirement(publicBaseUrl),
  });
  const meteringModule = metering({ db, cursors, clock });

  const shared = { db, cursors, limits, baseUrl: publicBaseUrl, mail: mailModule, invitationCaps: config.invitationCaps };
  const ssoModule = sso({
    ...shared,
    clock,
    log,
    sessions,
    dataKeys,
    fetch: outbound,
    oidc: createOidc({ fetch: outbound, clock, allowsHttp }),
    saml: createSaml({ fetch: outbound, compute, clock }),
    isProduction: config.isProduction,
  });
  const partnersModule = partners({ ...shared, clock });
  const installModule = install({ db, compute, files: filesModule.store, callbackSecret: config.engine.callbackSecret });
  const tenancy = [
    media({ db, cursors, compute, files: filesModule.store, readerTag }),
    installModule,
    partnersModule,
    domains({ ...shared, clock, lookup: parties.domainLookup, served: servedHosts, settings: config.domains }),
    clients({ ...shared, clock, compute, firstContactsPerHour: config.firstContactsPerHour }),
    accounts({ ...shared, deletionDays: config.accountDeletionDays }),
    ssoModule,
    invitations({ ...shared, sessions, ssoRequirement: ssoRequirement(publicBaseUrl) }),
    users({ db, cursors, mail: mailModule }),
    savedFilters({ db }),
    team({ db, cursors }),
    plans({ db }),
    planRequests({ ...shared, collection: config.collection }),
    nameReviews(shared),
    newsletter({ ...shared, clock }),
    billing({ ...shared, clock, log, compute, files: filesModule.store, invoicing: config.invoicing, collection: config.collection }),
  ];
  return {
    mail: mailModule,
    dataKeys,
    files: filesModule.store,
    /** Additional dependencies of modules of higher layers. */
    shared,
    modules: [identityModule, filesModule, mailModule, meteringModule, firstAnswers({ db, clock }), auditLog({ db, cursors }), ...tenancy],
  };
}

import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { useQuery } from '@tanstack/react-query';
import { explainTest } from '../../shared/sso.ts';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { Panel } from '../../ui/layout/layout.tsx';
import { Time } from '../../ui/text/time.tsx';
import { failedLoginsQuery } from './queries.ts';
import { Received } from './test-login.tsx';

/** The last logins of the team that failed: what a member saw, and what arrived. */
export function FailedLogins() {
  const { data, error, refetch } = useQuery(failedLoginsQuery);
  if (error) return <ErrorBlock error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  return (
    <Panel title="Failed logins">
      {data.items.length === 0 ? (
        <p className="text-ink-2">No login of your team has failed in the last {LIMITS.ssoAttemptDays} days.</p>
      ) : (
        <ul className="grid gap-3">
          {data.items.map((login) => {
            const { title, fix } = explainTest(login.problem, login.email ?? undefined);
            return (
              <li key={login.id} className="grid gap-1 border-t border-line-soft pt-3 first:border-0 first:pt-0">
                <p>
                  <b>{title}</b> {fix}
                </p>
                {login.detail ? <p className="text-sm">{login.detail}</p> : null}
                {login.providerSaid ? (
                  <p className="text-sm">
                    Your provider wrote: <q>{login.providerSaid}</q>
                  </p>
                ) : null}
                <details>
                  <summary className="link min-h-8 cursor-pointer py-1.5 text-xs">
                    <Time iso={login.at} />, what arrived
                  </summary>
                  <Received test={login} />
                </details>
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}

import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { Link } from '@tanstack/react-router';
import { usePreference } from '../../ui/hooks/use-preference.ts';
import { useUser } from '../../app/session.ts';
import { CodeBlock } from '../../ui/text/code-block.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { firstCall, keptSession, type Way, WAY_WORDS, WAYS } from './snippets.ts';

/** From nothing to a call that keeps working, with the reader's own address filled in. */
export function QuickStart() {
  const { email, mfaEnabled } = useUser();
  const [way, setWay] = usePreference<Way>('developer-way', 'curl');
  const first = firstCall(way, location.origin, email);
  const kept = keptSession(way, location.origin, email);
  return (
    <div className="max-w-[860px]">
      <div className="mb-4">
        <Segmented label="Language" value={way} onChange={setWay} options={WAYS.map((value) => ({ value, label: WAY_WORDS[value] }))} />
      </div>
      <Section title="1. Sign in and call">
        <p className="mb-2 max-w-[65ch] text-ink-2">
          There are no API keys: a call carries the session of a person, as <code>Authorization: Bearer</code>, and may do what that person
          may. Put the password into <code>PORTAL_PASSWORD</code>.
        </p>
        <CodeBlock {...first} />
        <p className="field-hint">
          {mfaEnabled
            ? 'Your account has two-step sign-in, so the login answers mfaRequired and a tempToken first: finish it at POST /auth/mfa/verify with a code. For a program, use a team member of its own.'
            : 'For a program, invite a team member of its own, so that the audit log tells it from you. A moderator reads everything and changes nothing.'}
        </p>
      </Section>
      <Section title="2. When the session ends">
        <p className="mb-2 max-w-[65ch] text-ink-2">
          The login says when in <code>expiresAt</code>. After that, and when somebody signs the account out, a call answers 401: sign in
          again, once. A caller has {LIMITS.callerRequestsPerMinute} calls in 60 seconds, unless <code>RateLimit-Limit</code> says another
          number; beyond them a call answers 429 with <code>Retry-After</code> in seconds.
        </p>
        <CodeBlock {...kept} />
      </Section>
      <Section title="3. When something is refused">
        <p className="max-w-[65ch] text-ink-2">
          Every refusal is JSON with a <code>code</code> that stays the same, a sentence in <code>detail</code>, and a{' '}
          <code>requestId</code> to quote when you ask us. A field that is wrong is named in <code>errors</code>. Each code has its page
          under <code>/problems/</code>.
        </p>
      </Section>
      <Section title="4. Hear from us instead of asking">
        <p className="max-w-[65ch] text-ink-2">
          Add an endpoint under{' '}
          <Link to="/dashboard/settings/webhooks" className="lnk">
            Settings, Webhooks
          </Link>
          . Answer with 200 as soon as an event is stored. One that is not taken is sent up to {LIMITS.deliveryAttemptsMax} times, 5, 10, 20
          and 40 seconds apart; an event may arrive twice and keeps its <code>id</code>, so act on each id once.
        </p>
      </Section>
    </div>
  );
}

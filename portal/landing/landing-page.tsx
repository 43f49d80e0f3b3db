import { NEWSLETTER_CONSENT } from '@partner-portal/contract/newsletter-consent.ts';
import { buttonClass } from '../ui/controls/plain-button.tsx';
import { Mark } from '../ui/feedback/mark.tsx';
import { Input } from '../ui/forms/field.tsx';
import { TemplateIcon } from '../ui/identity/icons.tsx';
import { AGENTS } from './agents.ts';
import { PageFrame } from './page-frame.tsx';
import { Picture } from './picture.tsx';
import { QUESTIONS } from './questions.ts';

const VIEWS = [
  {
    picture: 'run',
    title: 'Every run is explained',
    text: 'What came in, what each step did, which text was sent. A failure names its cause and the fix, and runs again with one click.',
    alt: 'A run of the missed-call agent: the call came in, the text was sent, each step with its time.',
  },
  {
    picture: 'inbox',
    title: 'A chatbot that knows when to stop',
    text: 'It answers visitors of your client’s website from what the business has taught it, and hands the rest to a person, in one inbox.',
    alt: 'The inbox: conversations of a client’s website at the left, one of them open at the right.',
  },
  {
    picture: 'report',
    title: 'A month your clients understand',
    text: 'Results instead of runs: calls answered, texts sent, hours saved. In your logo and colours, as a page, a PDF or a mail.',
    alt: 'The monthly report of a client: results, hours saved, what each agent did, and its busiest hours.',
  },
] as const;

const STEPS = [
  ['Apply for access', 'Choose a plan, or let us suggest one. We review every application, usually within one working day.'],
  ['Add a client and its accounts', 'Connect the accounts that send texts and mail. Keys are encrypted and never shown again.'],
  [
    'Switch agents on',
    'Request what a client needs from the catalogue. Once we approve it, it installs itself. The first result appears minutes later, for you and for your client.',
  ],
] as const;

/**
 * The page for people who do not know the product: what it is, for whom, how it looks, what it costs. The build renders it, the service sends it with the
 * first byte (vite plugin first-page), and main.ts makes its plans, its form and its theme work. It is whole without a script.
 */
export function LandingPage() {
  return (
    <PageFrame newsletter={<Newsletter />}>
      <div className="landing-hero">
        <div>
          <h1 className="landing-title">Agents for your clients, under your name</h1>
          <p className="landing-lead">
            For agencies that look after local businesses. You choose agents that text back missed callers, remind people of visits and ask
            for reviews. Your clients see the results in a portal with your logo and colours.
          </p>
          <Apply />
        </div>
        <figure className="landing-shots">
          <Picture
            name="runs"
            className="landing-window"
            width={1000}
            height={640}
            small={700}
            isFirst
            alt="The runs of an agency: one sentence for each, which client it was for, how long it took, and failures with their reason."
          />
          <Picture
            name="client"
            className="landing-phone"
            width={390}
            height={640}
            alt="The portal of a client on a phone, in the agency’s name: how many results its agents delivered this month, and which."
          />
        </figure>
      </div>
      <section aria-labelledby="agents" className="landing-section">
        <h2 id="agents">Twelve agents, ready to request</h2>
        <p className="landing-intro">
          Each does one job, in the business’s name and within its hours. You set its texts; it stops when people ask it to.
        </p>
        <div className="landing-groups">
          {AGENTS.map(({ group, agents }) => (
            <div key={group}>
              <h3 className="landing-group">{group}</h3>
              <ul>
                {agents.map(({ name, icon, does }) => (
                  <li key={name} className="landing-agent">
                    <TemplateIcon name={icon} />
                    <div>
                      <h4>{name}</h4>
                      <p>{does}</p>
                    </div>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      </section>
      <section aria-labelledby="views" className="landing-section">
        <h2 id="views">What you see, and what your clients see</h2>
        {VIEWS.map(({ picture, title, text, alt }) => (
          <div key={picture} className="landing-view">
            <div>
              <h3>{title}</h3>
              <p>{text}</p>
            </div>
            <Picture name={picture} className="landing-window" width={1000} height={640} small={700} alt={alt} />
          </div>
        ))}
      </section>
      <section aria-labelledby="steps" className="landing-section">
        <h2 id="steps">How it works</h2>
        <ol className="landing-steps">
          {STEPS.map(([title, text], at) => (
            <li key={title}>
              <span className="landing-number" aria-hidden>
                {at + 1}
              </span>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </section>
      <section aria-labelledby="plans" className="landing-section">
        <h2 id="plans">Plans</h2>
        <p className="landing-intro">No card and no checkout: we confirm your plan by hand, and you pay by invoice.</p>
        <Plans />
      </section>
      <section aria-labelledby="questions" className="landing-section">
        <h2 id="questions">Questions</h2>
        <div className="landing-questions">
          {QUESTIONS.map(([question, answer, about]) => (
            <details key={question} data-trial={about === 'trial' ? '' : undefined}>
              <summary>{question}</summary>
              <p>{answer}</p>
            </details>
          ))}
        </div>
      </section>
      <section aria-labelledby="apply" className="landing-section landing-end">
        <h2 id="apply">Start with one client</h2>
        <Apply />
      </section>
    </PageFrame>
  );
}

/** Elements with `data-trial` are removed when no plan is a trial (plans.ts). */
function Apply() {
  return (
    <>
      <div className="mt-7 flex flex-wrap gap-3">
        <a href="/signup" className={buttonClass('primary', 'lg')}>
          Apply for access
        </a>
        <a href="/signup?trial=true" className={buttonClass('default', 'lg')} data-trial="">
          Apply for a trial
        </a>
      </div>
      <p className="mt-3 text-sm text-ink-3">
        We review every application<span data-trial="">, trials too</span>, usually within one working day.
      </p>
    </>
  );
}

/** As many as a new installation has: nothing below moves when they arrive, or do not. */
const USUAL_COUNT = 4;

/** The space of the plans, which plans.ts fills: a list, made of copies of the first template, or a sentence. */
function Plans() {
  return (
    <div className="landing-plans" data-plans="" aria-busy>
      <ul aria-hidden data-waiting="">
        {Array.from({ length: USUAL_COUNT }, (_, at) => (
          <li key={at} className="landing-plan">
            <span className="skeleton mt-1.5 block h-2.5 w-16" />
            <span className="skeleton mt-4 block h-5 w-28" />
            <span className="skeleton mt-4 block h-2.5 w-[80%]" />
          </li>
        ))}
      </ul>
      <template>
        <li className="landing-plan">
          <h3 data-name="" />
          <p className="landing-price">
            <b data-price="" />
            <span data-time="" />
          </p>
          <p className="landing-limits" data-limits="" />
          <a href="/signup" className="link">
            Apply
          </a>
        </li>
      </template>
    </div>
  );
}

/** Asks for the newsletter (newsletter.ts). Sends nothing before its script runs: by the default method, the address would be in that of the page. */
function Newsletter() {
  return (
    <section aria-labelledby="newsletter" className="landing-newsletter">
      <div>
        <h2 id="newsletter" className="text-base">
          Newsletter
        </h2>
        <p id="newsletter-consent" className="mt-0.5 max-w-[52ch] text-sm text-ink-3 text-pretty">
          {NEWSLETTER_CONSENT.text}
        </p>
      </div>
      <div data-newsletter="">
        <form method="dialog" noValidate>
          <div className="flex gap-2">
            <Input
              size="lg"
              name="email"
              type="email"
              required
              autoComplete="email"
              inputMode="email"
              aria-label="E-mail address"
              placeholder="you@agency.example"
              aria-describedby="newsletter-consent"
            />
            <button type="submit" className={buttonClass('default', 'lg')}>
              Subscribe
            </button>
          </div>
          <p id="newsletter-problem" role="alert" className="mt-1.5 text-sm text-bad" hidden />
        </form>
        <p tabIndex={-1} className="flex min-h-11 items-start gap-2 outline-0" data-sent="" hidden>
          <Mark kind="ok" className="mt-1" />
          <span className="min-w-0">
            A link goes to <b />. You are subscribed once you open it and confirm.
          </span>
        </p>
      </div>
    </section>
  );
}

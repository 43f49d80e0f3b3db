import { buttonClass } from '../../ui/controls/button.tsx';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { PortalMark } from '../../ui/identity/marks.tsx';
import { SkipLink } from '../../ui/layout/skip-link.tsx';
import { ThemeMenu } from '../../ui/layout/theme-menu.tsx';
import { LandingPlans } from './landing-plans.tsx';
import { NewsletterForm } from './newsletter-form.tsx';
import { ProductPicture } from './product-picture.tsx';
import './landing-page.css';

/**
 * The page for people who do not know the product: what it is, for whom, how it looks, what it costs. The build renders it, the service sends it with the
 * first byte (vite plugin first-page), and the browser hydrates it without the router: its links open documents.
 */
export function LandingPage() {
  useTitle('Agents for your clients, under your name');
  return (
    <div className="landing">
      <SkipLink />
      <header className="landing-header">
        <PortalMark />
        <b>Portal</b>
        <nav aria-label="Account" className="ml-auto flex items-center gap-2">
          <ThemeMenu />
          <a href="/login" className={buttonClass('default', 'lg')}>
            Log in
          </a>
        </nav>
      </header>
      <main id="main" tabIndex={-1} className="outline-0">
        <div className="landing-hero">
          <div>
            <h1 className="landing-title">Agents for your clients, under your name</h1>
            <p className="landing-lead">
              For agencies that look after local businesses. You install agents that text back missed callers, remind people of visits and
              ask for reviews. Your clients see the results in a portal with your logo and colours.
            </p>
            <div className="mt-7 flex flex-wrap gap-3">
              <a href="/signup" className={buttonClass('primary', 'lg')}>
                Apply
              </a>
              <a href="/signup?trial=true" className={buttonClass('default', 'lg')}>
                Start a trial
              </a>
            </div>
            <p className="mt-3 text-sm text-ink-3">We review every application, usually within one working day.</p>
          </div>
          <ProductPicture />
        </div>
        <LandingPlans />
      </main>
      <footer className="landing-footer">
        <NewsletterForm />
        <nav aria-label="More" className="landing-links">
          <a href="/status">Service status</a>
          <a href="/api/docs">API reference</a>
          <a href="/login">Log in</a>
        </nav>
      </footer>
    </div>
  );
}

import { PRODUCT_NAME } from '@partner-portal/contract/product.ts';
import type { ReactNode } from 'react';
import { buttonClass } from '../ui/controls/plain-button.tsx';
import { PortalMark } from '../ui/identity/marks.tsx';
import { SkipLink } from '../ui/layout/skip-link.tsx';
import { ThemeChoice } from '../ui/layout/theme-choice.tsx';

/** Header and footer of the pages for people who do not know the product. The build renders them; main.ts makes them work. */
export function PageFrame({ children, newsletter }: { children: ReactNode; newsletter?: ReactNode }) {
  return (
    <div className="landing">
      <SkipLink />
      <header className="landing-header">
        <a href="/" className="flex min-h-11 items-center gap-3">
          <PortalMark />
          <b>{PRODUCT_NAME}</b>
        </a>
        <nav aria-label="Account" className="ml-auto flex items-center gap-2">
          <ThemeChoice />
          <a href="/login" className={buttonClass('default', 'lg')}>
            Log in
          </a>
        </nav>
      </header>
      <main id="main" tabIndex={-1} className="outline-0">
        {children}
      </main>
      <footer className="landing-footer">
        {newsletter}
        <nav aria-label="More" className="landing-links">
          <a href="/terms">Terms</a>
          <a href="/privacy">Privacy</a>
          <a href="/status">Service status</a>
          <a href="/api/docs">API reference</a>
          <a href="/login">Log in</a>
        </nav>
      </footer>
    </div>
  );
}

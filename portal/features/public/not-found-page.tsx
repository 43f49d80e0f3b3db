import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { SimplePage } from './simple-page.tsx';

export function NotFoundPage() {
  return (
    <SimplePage title="Page not found">
      <p className="text-ink-3">
        <code className="break-all">{location.pathname}</code>
      </p>
      <h1 className="mt-1 text-2xl tracking-[-0.02em] md:text-3xl">Page not found</h1>
      <p className="mt-3 mb-6 max-w-[58ch] text-ink-2">The link may be incomplete or out of date, or the item was removed.</p>
      <div className="flex flex-wrap gap-2">
        <a href="/" className={buttonClass('primary', 'lg')}>
          Go to your home page
        </a>
        <Button size="lg" onClick={() => history.back()}>
          Go back
        </Button>
      </div>
    </SimplePage>
  );
}

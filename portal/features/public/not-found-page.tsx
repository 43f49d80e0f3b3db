import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { SimplePage } from './simple-page.tsx';

export function NotFoundPage() {
  return (
    <SimplePage title="No page here">
      <p className="text-ink-3">
        <code className="break-all">{location.pathname}</code>
      </p>
      <h1 className="mt-1 text-2xl tracking-[-0.02em] md:text-3xl">There is no page here</h1>
      <p className="mt-3 mb-6 max-w-[58ch] text-ink-2">
        The address may be cut or out of date. Pages move when the thing they show is removed.
      </p>
      <div className="flex flex-wrap gap-2">
        <a href="/" className={buttonClass('primary', 'lg')}>
          Go to your first page
        </a>
        <Button size="lg" onClick={() => history.back()}>
          Go back
        </Button>
      </div>
    </SimplePage>
  );
}

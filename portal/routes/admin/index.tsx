import { createFileRoute, redirect } from '@tanstack/react-router';

/** Staff begin at the list of partners. */
export const Route = createFileRoute('/admin/')({
  beforeLoad: () => {
    throw redirect({ to: '/admin/partners', replace: true });
  },
});

/** @jsxImportSource preact */
const SHAPES = {
  send: 'M12 19V5m-6 6 6-6 6 6',
  close: 'm6 9 6 6 6-6',
  renew: 'M12 20h8M16.4 4.2a2 2 0 0 1 2.9 0l.5.5a2 2 0 0 1 0 2.9L9.4 18 4.5 19.5 6 14.6Z',
  down: 'M12 5v14m-6-6 6 6 6-6',
} as const;

/** Decorative; the control around it has a name. */
export function Icon({ name }: { name: keyof typeof SHAPES }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={SHAPES[name]} />
    </svg>
  );
}

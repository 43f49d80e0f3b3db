import { Bell, Menu, Search } from 'lucide-react';
import './boot.css';

export const FACES = ['login', 'work', 'client'] as const;
export type Face = (typeof FACES)[number];

/** Placeholder blocks of the rail, and of the page next to it. */
const RAIL = [1, 2, 3, 4, 5, 6, 7];
const PAGE = [1, 2, 3];

/** Blocks in the place of a page. */
export function BootPage() {
  return (
    <div className="boot-page">
      {PAGE.map((at) => (
        <i key={at} />
      ))}
    </div>
  );
}

/**
 * The shape of a page before anything of it is loaded. The build writes those of all faces into index.html, where the address chooses one
 * (theme.js), so that something is painted before any script has run. Its icons are those of the page, in the same places: what a browser
 * counts as the first content, in any language.
 */
export function Boot({ face }: { face: Face }) {
  return (
    <div className="boot" data-face={face} aria-hidden>
      {face === 'work' ? (
        <div className="boot-rail">
          {RAIL.map((at) => (
            <i key={at} />
          ))}
        </div>
      ) : null}
      <div>
        <div className="boot-top">
          {face === 'work' ? <Menu /> : null}
          <i />
          {face === 'work' ? <Search /> : null}
          {face === 'login' ? null : <Bell />}
        </div>
        <BootPage />
      </div>
    </div>
  );
}

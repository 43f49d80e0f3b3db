import { brandTokens } from '../../shared/brand.ts';
import { LiveDot } from '../../ui/feedback/live-dot.tsx';
import { Mark, type MarkKind } from '../../ui/feedback/mark.tsx';
import { AgencyMark } from '../../ui/identity/marks.tsx';
import './product-picture.css';

/** Agency, clients and runs of the quick start, as the portal shows them there. */
const AGENCY = { name: 'Northwind Studio', brandColor: '#1f4e8c' };
const RUNS: readonly (readonly [MarkKind, what: string, client: string, took: string])[] = [
  ['ok', 'Texted +1 312 ··· 0148 after a missed call', 'Oak Street Dental', '1.2 s'],
  ['ok', 'Checked Priya Shah: ready, quality 75 of 100', 'Lakeview Physio', '0.9 s'],
  ['ok', 'Followed up with Leo Grant about a review', 'Oak Street Dental', '1.9 s'],
  ['bad', 'Could not text +1 500 ··· 0001 after a missed call', 'Oak Street Dental', '2.5 s'],
  ['ok', 'Texted +1 312 ··· 0190 after a missed call', 'Oak Street Dental', '2.5 s'],
  ['ok', 'Checked Jon Park: ready, quality 100 of 100', 'Lakeview Physio', '1.0 s'],
];
const RESULTS = [
  ['5', 'missed calls answered by text'],
  ['2', 'customers asked for a review'],
] as const;

/**
 * How the product looks: the agency's runs, and the portal of one of its clients in the agency's colour. Drawn with the portal's own parts, so
 * it follows the theme and stays sharp. One image for screen readers.
 */
export function ProductPicture() {
  return (
    <figure
      className="product-picture"
      style={brandTokens(AGENCY.brandColor)}
      role="img"
      aria-label="Two views of the portal. The agency sees what ran for each client, one sentence per run, failures with their reason. A client sees on a phone, in the agency’s name and color, that its agents helped seven times in November: five missed calls answered by text and two customers asked for a review."
    >
      <div className="product-picture-window">
        <div className="product-picture-bar">
          <AgencyMark name={AGENCY.name} logoUrl={null} />
          <b>{AGENCY.name}</b>
          <span className="ml-auto text-ink-3">All clients</span>
        </div>
        <div className="product-picture-head">
          <b className="text-base">Runs</b>
          <span className="truncate text-ink-3">10 since midnight, 1 failed</span>
          <span className="ml-auto">
            <LiveDot state="live" />
          </span>
        </div>
        {RUNS.map(([mark, what, client, took], at) => (
          <div key={at} className="product-picture-run">
            <Mark kind={mark} />
            <span className="truncate font-medium">{what}</span>
            <span className="product-picture-client">{client}</span>
            <span className="product-picture-took">{took}</span>
          </div>
        ))}
      </div>
      <div className="product-picture-phone">
        <div className="product-picture-bar">
          <AgencyMark name={AGENCY.name} logoUrl={null} />
          <b>{AGENCY.name}</b>
        </div>
        <div className="px-4 pt-3 pb-4">
          <p className="text-xs text-ink-3">Oak Street Dental</p>
          <p className="product-picture-headline">
            In November your agents helped <em>7 times</em>.
          </p>
          {RESULTS.map(([count, what]) => (
            <p key={what} className="product-picture-result">
              <span>{count}</span> {what}
            </p>
          ))}
        </div>
      </div>
    </figure>
  );
}

import type { ReactNode } from 'react';
import { formatNumber, plural } from '../../ui/text/format.ts';
import { PROVIDERS } from '../../shared/labels.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Drawer } from '../../ui/overlays/drawer.tsx';
import { JsonViewer } from '../../ui/text/json-viewer.tsx';
import { KeyValues } from '../../ui/layout/layout.tsx';
import { stepIcon } from '../../ui/identity/icons.tsx';
import { RolloutPanel } from './rollout-panel.tsx';
import type { Template } from './template.ts';
import '../../ui/identity/icon-box.css';
import '../../ui/layout/panel.css';

/** A template's definition and adoption. Read only: templates ship with releases. */
export function TemplateDrawer({ template, onClose }: { template: Template | undefined; onClose: () => void }) {
  if (!template) return null;
  return (
    <Drawer open onClose={onClose} title={template.title} meta={template.name} actions={<Badge>v{template.templateVersion}</Badge>}>
      <div className="grid grid-cols-1 gap-6">
        <p>{template.summary}</p>
        <Part title="In use">
          <Adoption template={template} />
          <RolloutPanel template={template} />
        </Part>
        <Part title="Steps">
          <Steps template={template} />
        </Part>
        <Part title="Event fields">
          <Inputs template={template} />
        </Part>
        <Part title="Settings">
          <Settings template={template} />
        </Part>
        <Part title="Shown to clients">
          <p className="text-ink-2">{template.clientSummary}</p>
        </Part>
        <Part title="Figures">
          <KeyValues
            rows={[
              ['Credits per run', formatNumber(template.creditsPerRun)],
              ['Timeout', `${template.timeoutMinutes} min`],
              ['Time saved per run', `${formatNumber(Math.round(template.hoursSavedPerRun * 60))} min`],
              ['Services', template.requiredConnections.map((provider) => PROVIDERS[provider].name).join(', ') || 'none'],
            ]}
          />
        </Part>
        <Part title="Changes">
          <Changes template={template} />
        </Part>
        <JsonViewer name="Sample event" value={template.sampleInput} />
      </div>
    </Drawer>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-2 text-sm">{title}</h3>
      {children}
    </section>
  );
}

function Adoption({ template: { adoption, templateVersion } }: { template: Template }) {
  if (adoption.length === 0) return <p className="text-ink-2">No agency uses it yet.</p>;
  return (
    <ul className="panel divide-y divide-line-soft">
      {adoption.map((row) => (
        <li key={row.templateVersion} className="tabular-nums flex items-center gap-3 px-3 py-2">
          <Badge>v{row.templateVersion}</Badge>
          <span className="flex-1">
            {plural(row.workflows, 'agent')} of {plural(row.partners, 'agency', 'agencies')}
          </span>
          {row.templateVersion < templateVersion ? (
            <span className="text-xs text-warn">v{templateVersion} available</span>
          ) : (
            <span className="text-xs text-ink-3">newest</span>
          )}
        </li>
      ))}
    </ul>
  );
}

function Steps({ template }: { template: Template }) {
  return (
    <ol className="panel divide-y divide-line-soft">
      {template.steps.map((step) => (
        <li key={step.name} className="flex gap-3 px-3 py-2.5">
          <span className="icon-box" aria-hidden>
            {stepIcon(step)}
          </span>
          <div className="min-w-0 flex-1">
            <p className="font-medium">
              {step.label} <span className="font-normal text-ink-3">{step.provider ? PROVIDERS[step.provider].name : 'Code'}</span>
            </p>
            <code className="block text-ink-3">
              {step.name}
              {step.reads.length > 0 ? ` reads ${step.reads.join(', ')}` : ''}
            </code>
          </div>
        </li>
      ))}
    </ol>
  );
}

function Inputs({ template }: { template: Template }) {
  return (
    <ul className="panel divide-y divide-line-soft">
      {template.inputs.map((input) => (
        <li key={input.key} className="px-3 py-2">
          <p className="flex gap-2">
            <code className="font-medium">{input.key}</code>
            <span className="text-ink-3">
              {input.type}
              {input.required ? ', required' : ''}
            </span>
          </p>
          <p className="text-xs text-ink-3">
            {input.label}
            {input.aliases.length > 0 ? `. In forms also as ${input.aliases.join(', ')}` : ''}
          </p>
        </li>
      ))}
    </ul>
  );
}

function Settings({ template }: { template: Template }) {
  if (template.config.length === 0) return <p className="text-ink-2">None.</p>;
  return (
    <ul className="panel divide-y divide-line-soft">
      {template.config.map((setting) => (
        <li key={setting.key} className="px-3 py-2">
          <p className="flex gap-2">
            <span className="font-medium">{setting.label}</span>
            <code className="text-ink-3">{setting.key}</code>
          </p>
          <p className="text-xs text-ink-3">
            {setting.default === '' || setting.default === null
              ? 'Empty by default'
              : `Default: ${typeof setting.default === 'object' ? JSON.stringify(setting.default) : String(setting.default)}`}
          </p>
        </li>
      ))}
    </ul>
  );
}

function Changes({ template: { changelog } }: { template: Template }) {
  return (
    <ol className="grid gap-1.5">
      {changelog
        .toSorted((a, b) => b.version - a.version)
        .map((change) => (
          <li key={change.version} className="flex gap-2.5">
            <Badge>v{change.version}</Badge>
            <span className="text-ink-2">{change.text}</span>
          </li>
        ))}
    </ol>
  );
}

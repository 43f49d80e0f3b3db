import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { PencilLine } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { formApi } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useMessages } from '../../app/messages.ts';
import { useUser } from '../../app/session.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { Field, TextArea, TextField } from '../../ui/forms/field.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import type { Agent } from './queries.ts';
import '../../shared/message-bubble.css';

type Setting = Agent['configSchema'][number];
type Props = {
  agent: Agent;
  setting: Setting;
  preview?: (text: string) => ReactNode;
  /** Shows only the icon, for use next to a short value. */
  isShort?: boolean;
};

/** Opens a form with another text for one setting of an agent; the agency decides about it. */
export function SuggestChange(props: Props) {
  const { t } = useMessages();
  const refusal = useRefusal('requests.create');
  const [isOpen, setOpen] = useState(false);
  const label = t('text-changes.suggest');
  const shared = { size: 'sm', disabledReason: refusal, onClick: () => setOpen(true) } as const;
  const name = `${label}: ${props.setting.label}`;
  return (
    <div className={props.isShort ? 'inline-block pl-1 align-middle' : 'pt-1'}>
      {props.isShort ? (
        <IconButton {...shared} label={name}>
          <PencilLine aria-hidden />
        </IconButton>
      ) : (
        <Button {...shared} kind="quiet" icon={<PencilLine aria-hidden />} aria-label={name}>
          {label}
        </Button>
      )}
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={t('text-changes.dialog', { label: props.setting.label })}>
        <SuggestForm {...props} onClose={() => setOpen(false)} />
      </Dialog>
    </div>
  );
}

function SuggestForm({ agent, setting, preview, onClose }: Props & { onClose: () => void }) {
  const { t } = useMessages();
  const agency = useUser().partner.name;
  const value = agent.config[setting.key] ?? setting.default;
  const form = useForm({
    saved: { text: typeof value === 'string' ? value : '', note: '' },
    send: ({ text, note }) =>
      formApi.suggestText({
        params: { id: agent.id },
        body: { key: setting.key, text: text.trim(), note: note.trim() },
        headers: { 'if-match': `"${agent.updatedAt}"` },
      }),
    onSaved: () => {
      announce(t('text-changes.sent', { agency }));
      void refreshAfter('textSuggestionChanged');
      onClose();
    },
    keepValues: true,
  });
  const { text } = form.values;
  const placeholder = /\{\w+\}/.exec(text)?.[0];
  return (
    <Form form={form} className="mt-2 grid gap-4">
      <p className="text-ink-2">{t('text-changes.lead', { agency })}</p>
      {setting.type === 'longtext' ? (
        <Field label={t('text-changes.text')} error={form.errors['text']}>
          {(ids) => (
            <TextArea
              {...ids}
              data-field="text"
              rows={5}
              maxLength={setting.maxLength ?? 2000}
              value={text}
              onChange={(event) => form.set({ text: event.target.value })}
            />
          )}
        </Field>
      ) : (
        <TextField
          label={t('text-changes.text')}
          data-field="text"
          size="lg"
          error={form.errors['text']}
          value={text}
          onChange={(next) => form.set({ text: next })}
        />
      )}
      {placeholder === undefined ? null : <p className="text-sm text-ink-3">{t('text-changes.placeholders', { example: placeholder })}</p>}
      {preview && text.trim() !== '' ? (
        <div aria-live="polite">
          <p className="mb-1.5 text-sm text-ink-3">{t('text-changes.preview')}</p>
          <p className="message-bubble !max-w-full !text-base">{preview(text)}</p>
        </div>
      ) : null}
      <Field label={t('text-changes.note', { agency })} note={t('text-changes.optional')} error={form.errors['note']}>
        {(ids) => (
          <TextArea
            {...ids}
            data-field="note"
            rows={2}
            maxLength={LIMITS.textSuggestionNoteMax}
            value={form.values.note}
            onChange={(event) => form.set({ note: event.target.value })}
          />
        )}
      </Field>
      <DialogActions>
        <Button size="lg" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button size="lg" kind="primary" type="submit" busy={form.isBusy && t('ui.sending')}>
          {t('text-changes.send')}
        </Button>
      </DialogActions>
    </Form>
  );
}

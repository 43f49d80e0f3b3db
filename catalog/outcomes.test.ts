import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locale, RunTone } from '@partner-portal/contract/vocabulary.ts';
import { isNoTextReason } from '@partner-portal/core/contact/texting.ts';
import { outcomeOf, toneOf } from '@partner-portal/core/template/outcome.ts';
import { renderSentence } from '@partner-portal/core/template/sentence.ts';
import type { JsonObject } from '@partner-portal/core/template/types.ts';
import { loadBundles, sentenceFor } from './index.ts';

/** How a run that succeeds can end: its input and output, and the tone and sentence that readers get. */
const ENDS: Readonly<Record<string, [input: JsonObject, output: JsonObject, tone: RunTone, sentence: Readonly<Record<Locale, string>>][]>> =
  {
    'ai-email-triage': [
      [
        { fromEmail: 'ada@example.com' },
        { label: 'billing', urgent: false },
        'good',
        {
          en: 'Sorted a mail from a···@example.com as billing',
          de: 'E-Mail von a···@example.com als billing einsortiert',
          es: 'Correo de a···@example.com clasificado como billing',
        },
      ],
      [
        { fromEmail: 'ada@example.com' },
        { label: 'billing', urgent: false, replyMailId: 'm1' },
        'good',
        {
          en: 'Answered a mail from a···@example.com, sorted as billing',
          de: 'E-Mail von a···@example.com beantwortet, einsortiert als billing',
          es: 'Respondido un correo de a···@example.com, clasificado como billing',
        },
      ],
      [
        { fromEmail: 'ada@example.com' },
        { label: 'billing', urgent: false, heldBack: 'web_address' },
        'attention',
        {
          en: 'Sorted a mail from a···@example.com as billing: the drafted answer was held back, so it needs an answer by a person',
          de: 'E-Mail von a···@example.com als billing einsortiert: der Antwortentwurf wurde zurückgehalten, sie braucht die Antwort eines Menschen',
          es: 'Correo de a···@example.com clasificado como billing: se retuvo el borrador de respuesta y necesita la respuesta de una persona',
        },
      ],
      [
        { fromEmail: 'ada@example.com' },
        { label: 'complaint', urgent: true, ownerMailId: 'm1' },
        'attention',
        {
          en: 'Urgent mail from a···@example.com, sorted as complaint: the owner was notified',
          de: 'Dringende E-Mail von a···@example.com, einsortiert als complaint: der Inhaber wurde benachrichtigt',
          es: 'Correo urgente de a···@example.com, clasificado como complaint: se avisó al propietario',
        },
      ],
      [
        { fromEmail: 'ada@example.com' },
        { label: 'complaint', urgent: true },
        'attention',
        {
          en: 'Urgent mail from a···@example.com, sorted as complaint: no one was notified',
          de: 'Dringende E-Mail von a···@example.com, einsortiert als complaint: niemand wurde benachrichtigt',
          es: 'Correo urgente de a···@example.com, clasificado como complaint: no se avisó a nadie',
        },
      ],
      [
        { fromEmail: 'owner@example.com' },
        { skipped: true, reason: 'own_address', message: 'The mail came from the business itself', label: 'complaint', urgent: true },
        'neutral',
        {
          en: 'Left a mail from o···@example.com alone: The mail came from the business itself',
          de: 'E-Mail von o···@example.com nicht bearbeitet: Die E-Mail kam vom Unternehmen selbst',
          es: 'Correo de o···@example.com sin tratar: El correo vino de la propia empresa',
        },
      ],
      [
        { fromEmail: 'wordpress@example.com' },
        {
          skipped: true,
          label: 'other',
          urgent: false,
          reason: 'own_domain',
          message: 'The mail came from an address of the business, so its writer gets no answer',
        },
        'attention',
        {
          en: 'Left a mail from w···@example.com alone: The mail came from an address of the business, so its writer gets no answer',
          de: 'E-Mail von w···@example.com nicht bearbeitet: Die E-Mail kam von einer Adresse des Unternehmens, daher erhält ihr Verfasser keine Antwort',
          es: 'Correo de w···@example.com sin tratar: El correo vino de una dirección de la empresa, por lo que quien lo escribió no recibe respuesta',
        },
      ],
      [
        { fromEmail: 'ada@example.com' },
        {
          skipped: true,
          label: 'other',
          urgent: false,
          reason: 'recently_contacted',
          message: 'This address got an answer a short while ago',
        },
        'attention',
        {
          en: 'Left a mail from a···@example.com alone: This address got an answer a short while ago',
          de: 'E-Mail von a···@example.com nicht bearbeitet: Diese Adresse hat vor Kurzem eine Antwort erhalten',
          es: 'Correo de a···@example.com sin tratar: Esta dirección recibió una respuesta hace poco',
        },
      ],
      [
        { fromEmail: 'ada@example.com' },
        { skipped: true, label: 'other', urgent: false, reason: 'automatic_mail', message: 'The mail was sent by a machine' },
        'neutral',
        {
          en: 'Left a mail from a···@example.com alone: The mail was sent by a machine',
          de: 'E-Mail von a···@example.com nicht bearbeitet: Die E-Mail wurde automatisch verschickt',
          es: 'Correo de a···@example.com sin tratar: El correo se envió automáticamente',
        },
      ],
      [
        { fromEmail: 'ada@example.com' },
        { skipped: true, label: 'other', urgent: false, reason: 'no_reply_address', message: 'Nobody reads mails at this address' },
        'neutral',
        {
          en: 'Left a mail from a···@example.com alone: Nobody reads mails at this address',
          de: 'E-Mail von a···@example.com nicht bearbeitet: Dieses Postfach wird nicht gelesen',
          es: 'Correo de a···@example.com sin tratar: Nadie lee el correo de esta dirección',
        },
      ],
    ],
    'ai-faq-reply': [
      [
        { from: '+13125550121' },
        { reply: 'Until six.', handedOver: false, messageId: 's1' },
        'good',
        { en: 'Answered a text from +1 312 ··· 0121', de: 'SMS von +1 312 ··· 0121 beantwortet', es: 'SMS de +1 312 ··· 0121 respondido' },
      ],
      [
        { from: '+13125550121' },
        { handedOver: true, mailId: 'm1' },
        'attention',
        {
          en: 'A text from +1 312 ··· 0121 needs an answer by a person: the agent was not sure',
          de: 'Eine SMS von +1 312 ··· 0121 braucht die Antwort eines Menschen: der Agent war nicht sicher',
          es: 'Un SMS de +1 312 ··· 0121 necesita la respuesta de una persona: el agente no estaba seguro',
        },
      ],
      [
        { from: '+13125550121' },
        { skipped: true, reason: 'automatic_text', message: 'The text was sent by a machine' },
        'attention',
        {
          en: 'Did not answer +1 312 ··· 0121: The text was sent by a machine',
          de: 'Keine Antwort an +1 312 ··· 0121: Die SMS wurde automatisch verschickt',
          es: 'Sin respuesta para +1 312 ··· 0121: El SMS se envió automáticamente',
        },
      ],
      [
        { from: '+13125550121' },
        { handedOver: true, unfit: 'too_long', mailId: 'm1' },
        'attention',
        {
          en: 'A text from +1 312 ··· 0121 needs an answer by a person: the agent’s answer could not be sent',
          de: 'Eine SMS von +1 312 ··· 0121 braucht die Antwort eines Menschen: die Antwort des Agenten konnte nicht gesendet werden',
          es: 'Un SMS de +1 312 ··· 0121 necesita la respuesta de una persona: la respuesta del agente no se pudo enviar',
        },
      ],
      [
        { from: '+13125550121' },
        { handedOver: true, unread: true, mailId: 'm1' },
        'attention',
        {
          en: 'A message without words from +1 312 ··· 0121 needs an answer by a person',
          de: 'Eine Nachricht ohne Text von +1 312 ··· 0121 braucht die Antwort eines Menschen',
          es: 'Un mensaje sin texto de +1 312 ··· 0121 necesita la respuesta de una persona',
        },
      ],
      [
        { from: '+13125550121' },
        { handedOver: true, unseen: 3, mailId: 'm1' },
        'attention',
        {
          en: 'A text from +1 312 ··· 0121 needs an answer by a person: it came with a picture or file',
          de: 'Eine SMS von +1 312 ··· 0121 braucht die Antwort eines Menschen: sie kam mit einem Bild oder einer Datei',
          es: 'Un SMS de +1 312 ··· 0121 necesita la respuesta de una persona: llegó con una imagen o un archivo',
        },
      ],
      [
        { from: '+33612345678' },
        { handedOver: true, mayNot: 'country_not_allowed', mailId: 'm1' },
        'attention',
        {
          en: 'A text from +33 ··· 5678 needs an answer by a person: the agent may not text this number',
          de: 'Eine SMS von +33 ··· 5678 braucht die Antwort eines Menschen: der Agent darf dieser Nummer keine SMS senden',
          es: 'Un SMS de +33 ··· 5678 necesita la respuesta de una persona: el agente no puede enviar SMS a este número',
        },
      ],
      [
        { from: '+13125550121' },
        { skipped: true, reason: 'opted_out', message: 'They asked not to get texts any more' },
        'neutral',
        {
          en: 'Did not answer +1 312 ··· 0121: They asked not to get texts any more',
          de: 'Keine Antwort an +1 312 ··· 0121: Es kam die Bitte, keine SMS mehr zu senden',
          es: 'Sin respuesta para +1 312 ··· 0121: Pidió no recibir más SMS',
        },
      ],
    ],
    'appointment-reminder': [
      [
        { attendeeName: 'Ada Byron' },
        { leadHours: 24, messageId: 's1' },
        'good',
        { en: 'Reminded Ada Byron of a visit', de: 'Ada Byron wurde an einen Termin erinnert', es: 'Cita recordada a Ada Byron' },
      ],
      [
        { attendeeName: 'Ada Byron' },
        { leadHours: 24, mailId: 'm1', notTexted: { reason: 'not_mobile', message: 'This number cannot receive texts' } },
        'neutral',
        {
          en: 'Reminded Ada Byron of a visit by mail only: This number cannot receive texts',
          de: 'Ada Byron wurde nur per E-Mail an einen Termin erinnert: Diese Nummer kann keine SMS empfangen',
          es: 'Recordatorio de cita a Ada Byron solo por correo: Este número no puede recibir SMS',
        },
      ],
      [
        { attendeeName: 'Ada Byron' },
        { skipped: true, reason: 'booking_cancelled', message: 'The booking was cancelled' },
        'neutral',
        {
          en: 'No reminder for Ada Byron: The booking was cancelled',
          de: 'Keine Erinnerung an Ada Byron: Die Buchung wurde storniert',
          es: 'Sin recordatorio para Ada Byron: La reserva se canceló',
        },
      ],
      [
        { attendeeName: 'Ada Byron' },
        { skipped: true, reason: 'booking_gone', message: 'The booking no longer exists' },
        'attention',
        {
          en: 'No reminder for Ada Byron: The booking no longer exists',
          de: 'Keine Erinnerung an Ada Byron: Die Buchung existiert nicht mehr',
          es: 'Sin recordatorio para Ada Byron: La reserva ya no existe',
        },
      ],
      [
        { attendeeName: 'Ada Byron' },
        { skipped: true, reason: 'not_due', message: 'No reminder is due this hour', nextReminderAt: '2027-01-08T18:00:00.000Z' },
        'neutral',
        {
          en: 'Will remind Ada Byron of a visit: no reminder is due yet',
          de: 'Ada Byron wird an einen Termin erinnert: noch ist keine Erinnerung fällig',
          es: 'Se recordará una cita a Ada Byron: aún no toca ningún recordatorio',
        },
      ],
      [
        { attendeeName: 'Ada Byron' },
        { skipped: true, reason: 'no_way_to_reach', message: 'There is no phone number or mail address to remind' },
        'attention',
        {
          en: 'No reminder for Ada Byron: There is no phone number or mail address to remind',
          de: 'Keine Erinnerung an Ada Byron: Für die Erinnerung fehlen Telefonnummer und E-Mail-Adresse',
          es: 'Sin recordatorio para Ada Byron: No hay teléfono ni correo para el recordatorio',
        },
      ],
      [
        { attendeeName: 'Ada Byron' },
        { skipped: true, reason: 'no_phone_number', message: 'There is no phone number to text' },
        'attention',
        {
          en: 'No reminder for Ada Byron: There is no phone number to text',
          de: 'Keine Erinnerung an Ada Byron: Es fehlt eine Telefonnummer für die SMS',
          es: 'Sin recordatorio para Ada Byron: No hay teléfono para enviar un SMS',
        },
      ],
    ],
    'daily-sql-report': [
      [
        {},
        { rows: 4, mailId: 'm1' },
        'good',
        { en: 'Sent the daily report (4 rows)', de: 'Tagesbericht gesendet (4 Zeilen)', es: 'Informe diario enviado (4 filas)' },
      ],
      [
        {},
        { rows: 1, mailId: 'm1' },
        'good',
        { en: 'Sent the daily report (1 row)', de: 'Tagesbericht gesendet (1 Zeile)', es: 'Informe diario enviado (1 fila)' },
      ],
      [
        {},
        { rows: 0, mailId: 'm1' },
        'neutral',
        {
          en: 'Sent the daily report: the query found no rows',
          de: 'Tagesbericht gesendet: die Abfrage lieferte keine Zeilen',
          es: 'Informe diario enviado: la consulta no devolvió filas',
        },
      ],
    ],
    'lead-follow-up-email': [
      [
        { leadName: 'Ada Byron' },
        { subject: 'Hello', mailId: 'm1' },
        'good',
        {
          en: 'Answered Ada Byron by mail',
          de: 'Ada Byron hat eine Antwort per E-Mail erhalten',
          es: 'Respuesta enviada por correo a Ada Byron',
        },
      ],
      [
        { leadName: 'Ada Byron' },
        { skipped: true, reason: 'on_stop_list', message: 'This person has asked not to be written to' },
        'neutral',
        {
          en: 'Did not answer Ada Byron: This person has asked not to be written to',
          de: 'Keine Antwort an Ada Byron: Diese Person wünscht keine Nachrichten',
          es: 'Sin respuesta para Ada Byron: Esta persona pidió que no se le escriba',
        },
      ],
    ],
    'lead-intake-cleaner': [
      [
        {},
        { lead: { name: 'Ada Byron' }, quality: 100, verdict: 'ready', duplicates: 0 },
        'good',
        {
          en: 'Checked Ada Byron: ready, quality 100 of 100',
          de: 'Anfrage geprüft (Ada Byron): bereit, Qualität 100 von 100',
          es: 'Contacto revisado (Ada Byron): listo, calidad 100 de 100',
        },
      ],
      [
        {},
        { lead: { name: 'Ada Byron' }, quality: 60, verdict: 'incomplete', duplicates: 0, missing: ['phone'] },
        'neutral',
        {
          en: 'Checked Ada Byron: incomplete, quality 60 of 100',
          de: 'Anfrage geprüft (Ada Byron): unvollständig, Qualität 60 von 100',
          es: 'Contacto revisado (Ada Byron): incompleto, calidad 60 de 100',
        },
      ],
      [
        {},
        { lead: { name: 'Ada Byron' }, quality: 0, verdict: 'junk', duplicates: 0 },
        'neutral',
        {
          en: 'Set a lead of Ada Byron aside as junk',
          de: 'Anfrage von Ada Byron als unbrauchbar aussortiert',
          es: 'Contacto de Ada Byron apartado como no válido',
        },
      ],
      [
        {},
        { lead: { name: 'Ada Byron' }, leads: [{}, {}], quality: 0, verdict: 'junk', duplicates: 3 },
        'good',
        {
          en: 'Checked a list of leads, duplicates merged: 3',
          de: 'Liste von Anfragen geprüft, zusammengeführte Dubletten: 3',
          es: 'Lista de contactos comprobada, duplicados combinados: 3',
        },
      ],
      [
        {},
        { skipped: true, reason: 'no_leads', message: 'The list holds no lead' },
        'neutral',
        {
          en: 'Set a lead aside: The list holds no lead',
          de: 'Anfrage aussortiert: Die Liste enthält keine Anfrage',
          es: 'Contacto apartado: La lista no contiene ningún contacto',
        },
      ],
      [
        {},
        { skipped: true, reason: 'too_many_leads', message: 'A list may hold at most 200 leads, so none was checked' },
        'attention',
        {
          en: 'Set a lead aside: A list may hold at most 200 leads, so none was checked',
          de: 'Anfrage aussortiert: Eine Liste darf höchstens 200 Anfragen enthalten, daher wurde keine geprüft',
          es: 'Contacto apartado: Una lista puede contener como máximo 200 contactos, así que no se revisó ninguno',
        },
      ],
    ],
    'lead-qualifier': [
      [
        { leadName: 'Ada Byron' },
        { score: 40, hot: false, mailId: 'm1' },
        'good',
        {
          en: 'Rated Ada Byron 40 of 100',
          de: 'Anfrage von Ada Byron bewertet: 40 von 100',
          es: 'Contacto calificado (Ada Byron): 40 de 100',
        },
      ],
      [
        { leadName: 'Ada Byron' },
        { score: 90, hot: true, messageId: 's1' },
        'good',
        {
          en: 'Rated Ada Byron 90 of 100, a hot lead: the owner was notified',
          de: 'Anfrage von Ada Byron bewertet: 90 von 100, eine heiße Anfrage; der Inhaber wurde benachrichtigt',
          es: 'Contacto calificado (Ada Byron): 90 de 100, muy interesado; se avisó al propietario',
        },
      ],
      [
        { leadName: 'Ada Byron' },
        { score: 90, hot: true },
        'attention',
        {
          en: 'Rated Ada Byron 90 of 100, a hot lead: no one was notified',
          de: 'Anfrage von Ada Byron bewertet: 90 von 100, eine heiße Anfrage; niemand wurde benachrichtigt',
          es: 'Contacto calificado (Ada Byron): 90 de 100, muy interesado; no se avisó a nadie',
        },
      ],
    ],
    'missed-call-text-back': [
      [
        { callerNumber: '+13125550121' },
        { messageId: 's1' },
        'good',
        {
          en: 'Texted +1 312 ··· 0121 after a missed call',
          de: 'SMS an +1 312 ··· 0121 nach einem verpassten Anruf',
          es: 'SMS a +1 312 ··· 0121 tras una llamada perdida',
        },
      ],
      [
        { callerNumber: '+13125550121' },
        { skipped: true, reason: 'quiet_hours', message: 'It is quiet hours for the business' },
        'neutral',
        {
          en: 'Did not text +1 312 ··· 0121: It is quiet hours for the business',
          de: 'Keine SMS an +1 312 ··· 0121: Im Unternehmen sind Ruhezeiten',
          es: 'Sin SMS para +1 312 ··· 0121: Son horas de silencio de la empresa',
        },
      ],
      [
        { callerNumber: '+13125550121' },
        {
          skipped: true,
          reason: 'wrong_webhook',
          message: 'The phone system does not say whether a person answered: have it report missed calls only',
        },
        'neutral',
        {
          en: 'Did not text +1 312 ··· 0121: The phone system does not say whether a person answered: have it report missed calls only',
          de: 'Keine SMS an +1 312 ··· 0121: Die Telefonanlage meldet nicht, ob ein Mensch den Anruf angenommen hat: Sie soll nur verpasste Anrufe melden',
          es: 'Sin SMS para +1 312 ··· 0121: El sistema telefónico no dice si contestó una persona: debe avisar solo de las llamadas perdidas',
        },
      ],
      [
        { callerNumber: '+13125550121' },
        { skipped: true, reason: 'text_unread', message: 'This was a text, not a call: no one has answered it' },
        'attention',
        {
          en: 'Did not text +1 312 ··· 0121: This was a text, not a call: no one has answered it',
          de: 'Keine SMS an +1 312 ··· 0121: Das war eine SMS, kein Anruf: Niemand hat sie beantwortet',
          es: 'Sin SMS para +1 312 ··· 0121: Era un SMS, no una llamada: nadie lo ha respondido',
        },
      ],
    ],
    'no-show-rebooking': [
      [
        { attendeeName: 'Ada Byron' },
        { offered: 3, messageId: 's1' },
        'good',
        {
          en: 'Offered Ada Byron a new time',
          de: 'Ada Byron wurde ein neuer Termin angeboten',
          es: 'Nueva hora ofrecida a Ada Byron',
        },
      ],
      [
        { attendeeName: 'Ada Byron' },
        { skipped: true, reason: 'quiet_hours', message: 'It is quiet hours for the business' },
        'neutral',
        {
          en: 'No offer for Ada Byron: It is quiet hours for the business',
          de: 'Kein Angebot an Ada Byron: Im Unternehmen sind Ruhezeiten',
          es: 'Sin oferta para Ada Byron: Son horas de silencio de la empresa',
        },
      ],
      [
        { attendeeName: 'Ada Byron' },
        { skipped: true, reason: 'no_free_time', message: 'There is no free time in the coming days' },
        'attention',
        {
          en: 'No offer for Ada Byron: There is no free time in the coming days',
          de: 'Kein Angebot an Ada Byron: In den kommenden Tagen ist keine Zeit frei',
          es: 'Sin oferta para Ada Byron: No hay ninguna hora libre en los próximos días',
        },
      ],
      [
        { attendeeName: 'Ada Byron' },
        { skipped: true, reason: 'no_phone_number', message: 'There is no phone number to text' },
        'attention',
        {
          en: 'No offer for Ada Byron: There is no phone number to text',
          de: 'Kein Angebot an Ada Byron: Es fehlt eine Telefonnummer für die SMS',
          es: 'Sin oferta para Ada Byron: No hay teléfono para enviar un SMS',
        },
      ],
    ],
    'quote-follow-up': [
      [
        { customerName: 'Ada Byron' },
        { nudge: 1, mailId: 'm1' },
        'good',
        {
          en: 'Followed up a quote for Ada Byron',
          de: 'Bei einem Angebot für Ada Byron nachgefasst',
          es: 'Seguimiento hecho del presupuesto de Ada Byron',
        },
      ],
      [
        { customerName: 'Ada Byron' },
        { skipped: true, reason: 'answered', message: 'The quote has been answered' },
        'neutral',
        {
          en: 'No follow-up for Ada Byron: The quote has been answered',
          de: 'Kein Nachfassen bei Ada Byron: Das Angebot ist beantwortet',
          es: 'Sin seguimiento para Ada Byron: El presupuesto ya tiene respuesta',
        },
      ],
      [
        { customerName: 'Ada Byron' },
        { skipped: true, reason: 'no_way_to_reach', message: 'There is no mail address or phone number to nudge' },
        'attention',
        {
          en: 'No follow-up for Ada Byron: There is no mail address or phone number to nudge',
          de: 'Kein Nachfassen bei Ada Byron: Für die Erinnerung fehlen E-Mail-Adresse und Telefonnummer',
          es: 'Sin seguimiento para Ada Byron: No hay correo ni teléfono para el aviso',
        },
      ],
      [
        { customerName: 'Ada Byron' },
        { skipped: true, reason: 'no_phone_number', message: 'There is no phone number to text' },
        'attention',
        {
          en: 'No follow-up for Ada Byron: There is no phone number to text',
          de: 'Kein Nachfassen bei Ada Byron: Es fehlt eine Telefonnummer für die SMS',
          es: 'Sin seguimiento para Ada Byron: No hay teléfono para enviar un SMS',
        },
      ],
      [
        { customerName: 'Ada Byron' },
        {
          skipped: true,
          reason: 'answer_not_understood',
          message: 'It is not clear whether the quote was answered, so no nudge was sent',
        },
        'attention',
        {
          en: 'No follow-up for Ada Byron: It is not clear whether the quote was answered, so no nudge was sent',
          de: 'Kein Nachfassen bei Ada Byron: Es ist unklar, ob das Angebot beantwortet ist, daher wurde nicht erinnert',
          es: 'Sin seguimiento para Ada Byron: No está claro si el presupuesto tiene respuesta, así que no se envió ningún aviso',
        },
      ],
    ],
    'review-request': [
      [
        { customerName: 'Ada Byron', rating: '5' },
        { asked: true, messageId: 's1' },
        'good',
        { en: 'Asked Ada Byron for a review', de: 'Ada Byron wurde um eine Bewertung gebeten', es: 'Se pidió una reseña a Ada Byron' },
      ],
      [
        { customerName: 'Ada Byron', rating: '2' },
        { asked: false, mailId: 'm1' },
        'attention',
        {
          en: 'Ada Byron was not happy (rating: 2): the owner was notified',
          de: 'Ada Byron war nicht zufrieden (Bewertung: 2): der Inhaber wurde benachrichtigt',
          es: 'Ada Byron no quedó conforme (valoración: 2): se avisó al propietario',
        },
      ],
      [
        { customerName: 'Ada Byron', rating: '★★' },
        { skipped: true, reason: 'owner_not_told', message: 'The rating was low, and the settings name no recipient' },
        'attention',
        {
          en: 'Ada Byron was not happy (rating: ★★): no one was notified, because the settings name no recipient',
          de: 'Ada Byron war nicht zufrieden (Bewertung: ★★): niemand wurde benachrichtigt, denn in den Einstellungen fehlt ein Empfänger',
          es: 'Ada Byron no quedó conforme (valoración: ★★): no se avisó a nadie, porque en los ajustes no hay destinatario',
        },
      ],
      [
        { customerName: 'Ada Byron', rating: 'so so' },
        { skipped: true, reason: 'rating_not_understood', message: 'The rating could not be understood, so no review was asked for' },
        'attention',
        {
          en: 'Did not ask Ada Byron for a review: The rating could not be understood, so no review was asked for',
          de: 'Keine Bitte um Bewertung an Ada Byron: Die Bewertung war nicht zu verstehen, daher wurde nicht um eine Bewertung gebeten',
          es: 'Sin solicitud de reseña a Ada Byron: No se entendió la valoración, así que no se pidió ninguna reseña',
        },
      ],
      [
        { customerName: 'Ada Byron' },
        { skipped: true, reason: 'quiet_hours', message: 'It is quiet hours for the business' },
        'neutral',
        {
          en: 'Did not ask Ada Byron for a review: It is quiet hours for the business',
          de: 'Keine Bitte um Bewertung an Ada Byron: Im Unternehmen sind Ruhezeiten',
          es: 'Sin solicitud de reseña a Ada Byron: Son horas de silencio de la empresa',
        },
      ],
      [
        { customerName: 'Ada Byron' },
        { skipped: true, reason: 'no_phone_number', message: 'There is no phone number to text' },
        'attention',
        {
          en: 'Did not ask Ada Byron for a review: There is no phone number to text',
          de: 'Keine Bitte um Bewertung an Ada Byron: Es fehlt eine Telefonnummer für die SMS',
          es: 'Sin solicitud de reseña a Ada Byron: No hay teléfono para enviar un SMS',
        },
      ],
    ],
    'weekly-insight-digest': [
      [
        {},
        { rows: 7, digest: 'All is well.', mailId: 'm1' },
        'good',
        { en: 'Sent the weekly digest', de: 'Wochenüberblick gesendet', es: 'Resumen semanal enviado' },
      ],
      [
        {},
        { skipped: true, reason: 'no_rows', message: 'The query found no rows to explain' },
        'neutral',
        {
          en: 'No weekly digest: The query found no rows to explain',
          de: 'Kein Wochenüberblick: Die Abfrage lieferte keine Zeilen',
          es: 'Sin resumen semanal: La consulta no devolvió filas',
        },
      ],
    ],
  };

describe('the outcomes of a run', () => {
  for (const { template, sources } of loadBundles()) {
    const ends = ENDS[template.name] ?? [];
    describe(template.name, () => {
      for (const [input, output, tone, sentence] of ends)
        it(`${tone}: ${sentence.en}`, () => {
          assert.equal(toneOf(template, 'SUCCEEDED', output), tone);
          const stored = renderSentence(template, 'SUCCEEDED', { input, output });
          for (const locale of ['en', 'de', 'es'] as const)
            assert.equal(sentenceFor(locale, template.name, 'SUCCEEDED', stored), sentence[locale]);
        });
      it('are all in the table', () => {
        const reached = new Set(
          ends.map(([, output]) => outcomeOf(template, output)?.name ?? (output['skipped'] === true ? 'stopped' : 'usual')),
        );
        const declared = (template.outcomes ?? []).map(({ name }) => name);
        assert.deepEqual([...reached].filter((name) => name !== 'stopped').toSorted(), [...declared, 'usual'].toSorted());
      });
      it('depend on values that the run reports', () => {
        const text = Object.values(sources).join('\n');
        for (const { when, sentence } of template.outcomes ?? []) {
          const read = [...(sentence ?? '').matchAll(/\{output\.(\w+)/g)].map(([, key = '']) => key);
          for (const key of [...Object.keys(when.is ?? {}), ...(when.has ?? []), ...(when.lacks ?? []), ...read])
            assert.ok(key in template.result || ['reason', 'notTexted'].includes(key), `${key} is not reported`);
          const reason = when.is?.['reason'];
          // The service stops it, or a step does.
          const isKnown = reason === undefined || isNoTextReason(reason) || text.includes(`stop('${String(reason)}'`);
          assert.ok(isKnown, `no step stops for ${String(reason)}`);
        }
      });
    });
  }
});

import type { bot as source } from '../en/bot.ts';

export const bot: Readonly<Record<keyof typeof source, string>> = {
  'bot.name': 'Asistente',
  'bot.greeting': '¡Hola! ¿En qué puede ayudarle {business}?',
  'bot.person': 'Se lo he pasado a una persona, que le responderá aquí.',
  'bot.unsure': 'Eso no lo sé.',
  'bot.unable': 'Ahora mismo no puedo responder.',
  'bot.failure': 'Lo siento, ahora mismo no puedo responder.',
  'bot.unknown': 'Lo siento, eso no lo sé.',
  'bot.too-many-runs': 'Ya lo he hecho varias veces. Inténtelo más tarde o pídame hablar con una persona.',
  'bot.other-number': 'En este chat solo puedo enviar SMS al primer número que me dio. Si era incorrecto, pídame hablar con una persona.',
  'bot.foreign-link': 'Solo puedo enviar enlaces a nuestras propias páginas.',
  'bot.ask': 'Con gusto. Para eso todavía necesito: {missing}.',
  'bot.run-done': 'Hecho.',
  'bot.run-failed': 'Lo siento, no ha funcionado.',
  'bot.run-refused': 'Lo siento, ahora mismo no puedo hacerlo.',
  'bot.run-unknown': 'No sé si ha funcionado.',
};

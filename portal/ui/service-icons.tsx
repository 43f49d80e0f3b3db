export { ProviderIcon, stepIcon, TemplateIcon } from './icons.tsx';

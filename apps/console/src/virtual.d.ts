/** Made by vite.config.mts from the OpenAPI document. */
declare module 'virtual:permissions' {
  /** The permission that an operation needs, by operation id. */
  const permissions: Readonly<Record<string, string>>;
  export default permissions;
  /** The operations of identity-svc, which an installation may not have. */
  export const ofIdentity: readonly string[];
}

/** Made by vite.form-page.config.mts of the package survey-core. */
declare module 'virtual:survey-locales' {
  /** Loads the texts of SurveyJS in a language. */
  export const locales: Readonly<Record<string, () => Promise<unknown>>>;
}

/** apps/gateway/assets/canvass-surveyjs.js */
declare module 'virtual:canvass-surveyjs';

declare const canvassSurveyjs: {
  registerProperties(this: void, serializer: unknown): void;
  connectDataLists(
    this: void,
    survey: unknown,
    options: {
      baseUrl: string;
      formId: string;
      onError(error: unknown): void;
      token?: (isRefused: boolean) => Promise<string>;
    },
  ): () => void;
};

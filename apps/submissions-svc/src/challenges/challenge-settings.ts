import Joi from 'joi';

/** `Service:PublicForms`: what anonymous respondents must do before they create a submission. */
export interface PublicFormSettings {
  Challenge: 'none' | 'proof-of-work' | 'verifier';
  ProofOfWork: ProofOfWorkSettings;
  /** Present if `Challenge` is `verifier`. */
  Verifier?: VerifierSettings;
}

export interface ProofOfWorkSettings {
  Bits: number;
  ValidSeconds: number;
}

export interface VerifierSettings {
  Url: string;
  Secret: string;
  SiteKey?: string;
  SendsAddress: boolean;
  TimeoutMs: number;
}

const verifierSchema = Joi.object<VerifierSettings>({
  Url: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .required()
    .description(
      'Address of the verifier, such as https://challenges.cloudflare.com/turnstile/v0/siteverify.',
    ),
  Secret: Joi.string()
    .max(1024)
    .required()
    .meta({ secret: true })
    .description('Secret that the verifier expects.'),
  SiteKey: Joi.string()
    .max(1024)
    .description('Public key of the site, which form runtimes get for the widget.'),
  SendsAddress: Joi.boolean()
    .default(false)
    .description('Send the address of the respondent to the verifier (`remoteip`).'),
  TimeoutMs: Joi.number()
    .integer()
    .min(100)
    .max(20_000)
    .default(5_000)
    .description('Longest wait for the verifier. Then the create is a 503.'),
});

export const publicFormSettingsSchema: Joi.ObjectSchema<PublicFormSettings> = Joi.object<PublicFormSettings>({
  Challenge: Joi.string()
    .valid('none', 'proof-of-work', 'verifier')
    .default('none')
    .description(
      'What a create without a token must answer: nothing, a proof of work, or a challenge of the verifier.',
    ),
  ProofOfWork: Joi.object<ProofOfWorkSettings>({
    Bits: Joi.number()
      .integer()
      .min(1)
      .max(28)
      .default(16)
      .description('Leading zero bits that a form runtime must find. Each one more doubles the work.'),
    ValidSeconds: Joi.number()
      .integer()
      .min(10)
      .max(3_600)
      .default(300)
      .description('How long a challenge can be answered.'),
  }).default(),
  Verifier: verifierSchema.when('Challenge', { is: 'verifier', then: Joi.required() }),
}).default();

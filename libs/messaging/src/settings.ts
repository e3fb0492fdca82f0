import Joi from 'joi';

/** Configuration section `Service:Broker`. */
export interface BrokerSettings {
  /** AMQP URL; its path is the virtual host. */
  Url: string;
}

export const brokerSettingsSchema = Joi.object<BrokerSettings>({
  Url: Joi.string()
    .uri({ scheme: ['amqp', 'amqps'] })
    .required()
    .meta({ secret: true })
    .description('AMQP URL of RabbitMQ, with credentials and virtual host.'),
});

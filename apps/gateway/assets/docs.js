// Shows the OpenAPI document of this gateway. "Try it out" calls this gateway; tokens are not kept.
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

window.SwaggerUIBundle({
  url: 'openapi.json',
  domNode: document.getElementById('docs'),
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  defaultModelRendering: 'model',
  displayOperationId: true,
  validatorUrl: null, // nothing is sent elsewhere
});

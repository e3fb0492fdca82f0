/** Import circles are errors, also circles of `import type` only. `npm run circles` and `npm test` use this. */
module.exports = {
  forbidden: [{ name: 'no-circular', severity: 'error', from: {}, to: { circular: true } }],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(node_modules|dist|\\.local)/' },
    tsPreCompilationDeps: true, // sees `import type`
    tsConfig: { fileName: 'tsconfig.json' },
  },
};

import js from '@eslint/js'
import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'

/** Files of packages that are published: no test, no conformance record. */
const published = ['packages/*/src/**/*.ts']
const beside = ['**/*.test.ts', '**/*.conformance.ts']

/**
 * The floors, as import bans. test/architecture proves the same over the whole import graph; here the editor says it.
 * @param {string} floor
 * @param {readonly string[]} banned
 * @param {string} why
 * @returns {import('eslint').Linter.Config}
 */
const floor = (floor, banned, why) => ({
  files: [`packages/${floor}/src/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          { group: [...banned], message: why },
          { group: ['**/packages/**', '../../../*/src/**'], message: 'Import a package by its name.' },
        ],
      },
    ],
  },
})

export default defineConfig(
  globalIgnores(['**/dist/', '**/node_modules/', '**/.tsc/', 'coverage/', 'test/docs/.blocks/']),
  js.configs.recommended,
  tseslint.configs.recommendedTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none', ignoreRestSiblings: true },
      ],
      // An empty function is a value here: the undo that undoes nothing, the listener that only keeps a stream flowing.
      '@typescript-eslint/no-empty-function': 'off',
      // `async` without `await` is how a rejecting function is promised to the caller.
      '@typescript-eslint/require-await': 'off',
      'no-restricted-syntax': [
        'error',
        { selector: 'TSEnumDeclaration', message: 'Use a union of literals.' },
        {
          selector: "MemberExpression[property.name='enterWith']",
          message: 'Scopes are entered with run alone.',
        },
      ],
      '@typescript-eslint/dot-notation': ['error', { allowIndexSignaturePropertyAccess: true }],
      // Taste on which two good engineers differ, or at odds with another rule here.
      '@typescript-eslint/consistent-generic-constructors': 'off',
      '@typescript-eslint/consistent-indexed-object-style': 'off',
      '@typescript-eslint/no-inferrable-types': 'off',
      '@typescript-eslint/non-nullable-type-assertion-style': 'off',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
    },
  },
  {
    files: published,
    rules: {
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      'no-restricted-exports': [
        'error',
        { restrictDefaultExports: { direct: true, named: true, defaultFrom: true } },
      ],
    },
  },
  floor(
    'core',
    ['@waybill/*', '!@waybill/core', '!@waybill/core/*'],
    'core is the ground floor: node:* only.',
  ),
  floor(
    'adapters',
    ['@waybill/routing', '@waybill/routing/*'],
    'Rooms of one floor never import each other.',
  ),
  floor('routing', ['@waybill/adapters/*'], 'Rooms of one floor never import each other.'),
  floor(
    'conformance',
    ['@waybill/adapters/*', '@waybill/routing', '@waybill/routing/*'],
    'conformance knows core only.',
  ),
  {
    // Tests hold promises and shapes on purpose; the rules about leaks stay, those about taste of types go.
    files: [...beside, 'packages/conformance/**/*.ts', 'test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/unbound-method': 'off',
      'no-console': 'off',
    },
  },
  {
    files: ['examples/**/*.ts', 'tools/**/*.mjs', 'test/bench/**'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.config.ts', '**/*.config.js', '**/*.mjs', '**/*.cjs', '**/*.js'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      globals: {
        Buffer: 'readonly',
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        performance: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        AbortController: 'readonly',
        AbortSignal: 'readonly',
        fetch: 'readonly',
      },
    },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: { __dirname: 'readonly', setImmediate: 'readonly' },
    },
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
)

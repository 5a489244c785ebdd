// What the start of the service may use of the demo.
export { demoCapability } from './capability.ts';
export { type DemoSpec, demo, demoPassword, type Login, loginsOf, sandbox } from './logins.ts';
export { type SeedOptions, seedDemo } from './seed.ts';
export { demoLoginsExist, prepareDemo } from './start.ts';

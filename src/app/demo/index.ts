// Public API of the demo.
export { demoCapability } from './capability.ts';
export { demo, type Login, loginsOf, sandbox } from './logins.ts';
export { seedDemo } from './seed.ts';
export { demoLoginsExist, prepareDemo, sandboxLoginsExist } from './start.ts';

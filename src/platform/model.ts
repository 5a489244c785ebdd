// Base of all Objection models. Every query names its transaction; without one Objection has no connection and throws.
import { Model } from 'objection';

export abstract class Row extends Model {}

// What `--import` names where there is no node_modules to find it in.
import '@waybill/adapters/register'

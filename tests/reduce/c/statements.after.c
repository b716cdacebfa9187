int main(void) {
    
    
    
    
    
}
